// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import part0 from 'ajv-formats/dist/formats.js'
import part1 from 'ajv-formats/dist/formats.js'
import part2 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"savePlan","type":"object","required":["date","meals"],"properties":{"date":{"type":"string","format":"date","pattern":"^[1-9]\\d{3}-\\d{2}-\\d{2}$"},"meals":{"type":"array","maxItems":24,"items":{"type":"object","properties":{"time":{"type":"string","pattern":"^([01]\\d|2[0-3]):[0-5]\\d$"},"name":{"type":"string","minLength":1,"maxLength":100,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"},"description":{"type":"string","maxLength":500,"pattern":"^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"},"ingredients":{"type":"array","maxItems":50,"items":{"type":"object","required":["name","amount"],"properties":{"name":{"type":"string","minLength":1,"maxLength":100,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"},"amount":{"type":"string","minLength":1,"maxLength":40,"pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"}}}},"calories":{"type":"number","minimum":0,"maximum":20000},"nutrition":{"type":"object","properties":{"protein":{"type":"number","minimum":0,"maximum":5000},"carbs":{"type":"number","minimum":0,"maximum":5000},"fat":{"type":"number","minimum":0,"maximum":5000}}},"recipeId":{"type":"integer","format":"int64","minimum":1,"maximum":9007199254740991},"servings":{"type":"number","minimum":0.1,"maximum":20}},"required":["time"]}},"preferences":{"type":"array","maxItems":30,"items":{"type":"string","minLength":1,"maxLength":50,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}},"allergies":{"type":"array","maxItems":30,"items":{"type":"string","minLength":1,"maxLength":50,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}}}};
const formats0 = part0.fullFormats.date;
const formats2 = part1.fullFormats.int64;
const pattern4 = new RegExp("^[1-9]\\d{3}-\\d{2}-\\d{2}$", "u");
const pattern5 = new RegExp("^([01]\\d|2[0-3]):[0-5]\\d$", "u");
const pattern6 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern7 = new RegExp("^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$", "u");
const pattern9 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const func1 = (part2.default ?? part2);

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="savePlan" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.date === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "date"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.meals === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "meals"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.date !== undefined){
let data0 = data.date;
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
const err2 = {instancePath:instancePath+"/date",schemaPath:"#/properties/date/pattern",keyword:"pattern",params:{pattern: "^[1-9]\\d{3}-\\d{2}-\\d{2}$"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!(formats0.validate(data0))){
const err3 = {instancePath:instancePath+"/date",schemaPath:"#/properties/date/format",keyword:"format",params:{format: "date"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/date",schemaPath:"#/properties/date/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.meals !== undefined){
let data1 = data.meals;
if(Array.isArray(data1)){
if(data1.length > 24){
const err5 = {instancePath:instancePath+"/meals",schemaPath:"#/properties/meals/maxItems",keyword:"maxItems",params:{limit: 24}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.time === undefined){
const err6 = {instancePath:instancePath+"/meals/" + i0,schemaPath:"#/properties/meals/items/required",keyword:"required",params:{missingProperty: "time"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data2.time !== undefined){
let data3 = data2.time;
if(typeof data3 === "string"){
if(!pattern5.test(data3)){
const err7 = {instancePath:instancePath+"/meals/" + i0+"/time",schemaPath:"#/properties/meals/items/properties/time/pattern",keyword:"pattern",params:{pattern: "^([01]\\d|2[0-3]):[0-5]\\d$"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/meals/" + i0+"/time",schemaPath:"#/properties/meals/items/properties/time/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data2.name !== undefined){
let data4 = data2.name;
if(typeof data4 === "string"){
if(func1(data4) > 100){
const err9 = {instancePath:instancePath+"/meals/" + i0+"/name",schemaPath:"#/properties/meals/items/properties/name/maxLength",keyword:"maxLength",params:{limit: 100}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(func1(data4) < 1){
const err10 = {instancePath:instancePath+"/meals/" + i0+"/name",schemaPath:"#/properties/meals/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!pattern6.test(data4)){
const err11 = {instancePath:instancePath+"/meals/" + i0+"/name",schemaPath:"#/properties/meals/items/properties/name/pattern",keyword:"pattern",params:{pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/meals/" + i0+"/name",schemaPath:"#/properties/meals/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data2.description !== undefined){
let data5 = data2.description;
if(typeof data5 === "string"){
if(func1(data5) > 500){
const err13 = {instancePath:instancePath+"/meals/" + i0+"/description",schemaPath:"#/properties/meals/items/properties/description/maxLength",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(!pattern7.test(data5)){
const err14 = {instancePath:instancePath+"/meals/" + i0+"/description",schemaPath:"#/properties/meals/items/properties/description/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/meals/" + i0+"/description",schemaPath:"#/properties/meals/items/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data2.ingredients !== undefined){
let data6 = data2.ingredients;
if(Array.isArray(data6)){
if(data6.length > 50){
const err16 = {instancePath:instancePath+"/meals/" + i0+"/ingredients",schemaPath:"#/properties/meals/items/properties/ingredients/maxItems",keyword:"maxItems",params:{limit: 50}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
let data7 = data6[i1];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.name === undefined){
const err17 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1,schemaPath:"#/properties/meals/items/properties/ingredients/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(data7.amount === undefined){
const err18 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1,schemaPath:"#/properties/meals/items/properties/ingredients/items/required",keyword:"required",params:{missingProperty: "amount"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data7.name !== undefined){
let data8 = data7.name;
if(typeof data8 === "string"){
if(func1(data8) > 100){
const err19 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/name/maxLength",keyword:"maxLength",params:{limit: 100}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(func1(data8) < 1){
const err20 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(!pattern6.test(data8)){
const err21 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/name/pattern",keyword:"pattern",params:{pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data7.amount !== undefined){
let data9 = data7.amount;
if(typeof data9 === "string"){
if(func1(data9) > 40){
const err23 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/amount/maxLength",keyword:"maxLength",params:{limit: 40}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(func1(data9) < 1){
const err24 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/amount/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(!pattern9.test(data9)){
const err25 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/amount/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/amount/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1,schemaPath:"#/properties/meals/items/properties/ingredients/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
else {
const err28 = {instancePath:instancePath+"/meals/" + i0+"/ingredients",schemaPath:"#/properties/meals/items/properties/ingredients/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data2.calories !== undefined){
let data10 = data2.calories;
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 20000 || isNaN(data10)){
const err29 = {instancePath:instancePath+"/meals/" + i0+"/calories",schemaPath:"#/properties/meals/items/properties/calories/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20000}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data10 < 0 || isNaN(data10)){
const err30 = {instancePath:instancePath+"/meals/" + i0+"/calories",schemaPath:"#/properties/meals/items/properties/calories/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/meals/" + i0+"/calories",schemaPath:"#/properties/meals/items/properties/calories/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data2.nutrition !== undefined){
let data11 = data2.nutrition;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.protein !== undefined){
let data12 = data11.protein;
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 5000 || isNaN(data12)){
const err32 = {instancePath:instancePath+"/meals/" + i0+"/nutrition/protein",schemaPath:"#/properties/meals/items/properties/nutrition/properties/protein/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(data12 < 0 || isNaN(data12)){
const err33 = {instancePath:instancePath+"/meals/" + i0+"/nutrition/protein",schemaPath:"#/properties/meals/items/properties/nutrition/properties/protein/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/meals/" + i0+"/nutrition/protein",schemaPath:"#/properties/meals/items/properties/nutrition/properties/protein/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data11.carbs !== undefined){
let data13 = data11.carbs;
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 5000 || isNaN(data13)){
const err35 = {instancePath:instancePath+"/meals/" + i0+"/nutrition/carbs",schemaPath:"#/properties/meals/items/properties/nutrition/properties/carbs/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data13 < 0 || isNaN(data13)){
const err36 = {instancePath:instancePath+"/meals/" + i0+"/nutrition/carbs",schemaPath:"#/properties/meals/items/properties/nutrition/properties/carbs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
else {
const err37 = {instancePath:instancePath+"/meals/" + i0+"/nutrition/carbs",schemaPath:"#/properties/meals/items/properties/nutrition/properties/carbs/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data11.fat !== undefined){
let data14 = data11.fat;
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 5000 || isNaN(data14)){
const err38 = {instancePath:instancePath+"/meals/" + i0+"/nutrition/fat",schemaPath:"#/properties/meals/items/properties/nutrition/properties/fat/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(data14 < 0 || isNaN(data14)){
const err39 = {instancePath:instancePath+"/meals/" + i0+"/nutrition/fat",schemaPath:"#/properties/meals/items/properties/nutrition/properties/fat/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/meals/" + i0+"/nutrition/fat",schemaPath:"#/properties/meals/items/properties/nutrition/properties/fat/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath:instancePath+"/meals/" + i0+"/nutrition",schemaPath:"#/properties/meals/items/properties/nutrition/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data2.recipeId !== undefined){
let data15 = data2.recipeId;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err42 = {instancePath:instancePath+"/meals/" + i0+"/recipeId",schemaPath:"#/properties/meals/items/properties/recipeId/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 9007199254740991 || isNaN(data15)){
const err43 = {instancePath:instancePath+"/meals/" + i0+"/recipeId",schemaPath:"#/properties/meals/items/properties/recipeId/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(data15 < 1 || isNaN(data15)){
const err44 = {instancePath:instancePath+"/meals/" + i0+"/recipeId",schemaPath:"#/properties/meals/items/properties/recipeId/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(!(formats2.validate(data15))){
const err45 = {instancePath:instancePath+"/meals/" + i0+"/recipeId",schemaPath:"#/properties/meals/items/properties/recipeId/format",keyword:"format",params:{format: "int64"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
}
if(data2.servings !== undefined){
let data16 = data2.servings;
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 20 || isNaN(data16)){
const err46 = {instancePath:instancePath+"/meals/" + i0+"/servings",schemaPath:"#/properties/meals/items/properties/servings/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if(data16 < 0.1 || isNaN(data16)){
const err47 = {instancePath:instancePath+"/meals/" + i0+"/servings",schemaPath:"#/properties/meals/items/properties/servings/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0.1}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/meals/" + i0+"/servings",schemaPath:"#/properties/meals/items/properties/servings/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
}
else {
const err49 = {instancePath:instancePath+"/meals/" + i0,schemaPath:"#/properties/meals/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
}
else {
const err50 = {instancePath:instancePath+"/meals",schemaPath:"#/properties/meals/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data.preferences !== undefined){
let data17 = data.preferences;
if(Array.isArray(data17)){
if(data17.length > 30){
const err51 = {instancePath:instancePath+"/preferences",schemaPath:"#/properties/preferences/maxItems",keyword:"maxItems",params:{limit: 30}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
const len2 = data17.length;
for(let i2=0; i2<len2; i2++){
let data18 = data17[i2];
if(typeof data18 === "string"){
if(func1(data18) > 50){
const err52 = {instancePath:instancePath+"/preferences/" + i2,schemaPath:"#/properties/preferences/items/maxLength",keyword:"maxLength",params:{limit: 50}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if(func1(data18) < 1){
const err53 = {instancePath:instancePath+"/preferences/" + i2,schemaPath:"#/properties/preferences/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(!pattern6.test(data18)){
const err54 = {instancePath:instancePath+"/preferences/" + i2,schemaPath:"#/properties/preferences/items/pattern",keyword:"pattern",params:{pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
else {
const err55 = {instancePath:instancePath+"/preferences/" + i2,schemaPath:"#/properties/preferences/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
}
else {
const err56 = {instancePath:instancePath+"/preferences",schemaPath:"#/properties/preferences/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
if(data.allergies !== undefined){
let data19 = data.allergies;
if(Array.isArray(data19)){
if(data19.length > 30){
const err57 = {instancePath:instancePath+"/allergies",schemaPath:"#/properties/allergies/maxItems",keyword:"maxItems",params:{limit: 30}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
const len3 = data19.length;
for(let i3=0; i3<len3; i3++){
let data20 = data19[i3];
if(typeof data20 === "string"){
if(func1(data20) > 50){
const err58 = {instancePath:instancePath+"/allergies/" + i3,schemaPath:"#/properties/allergies/items/maxLength",keyword:"maxLength",params:{limit: 50}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if(func1(data20) < 1){
const err59 = {instancePath:instancePath+"/allergies/" + i3,schemaPath:"#/properties/allergies/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if(!pattern6.test(data20)){
const err60 = {instancePath:instancePath+"/allergies/" + i3,schemaPath:"#/properties/allergies/items/pattern",keyword:"pattern",params:{pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
else {
const err61 = {instancePath:instancePath+"/allergies/" + i3,schemaPath:"#/properties/allergies/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
}
else {
const err62 = {instancePath:instancePath+"/allergies",schemaPath:"#/properties/allergies/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
}
else {
const err63 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"date":true,"meals":true,"preferences":true,"allergies":true},"dynamicProps":false,"dynamicItems":false};

