// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import part0 from 'ajv/dist/runtime/ucs2length.js'
import part1 from 'ajv-formats/dist/formats.js'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"previewDietDay","type":"object","required":["meals"],"properties":{"meals":{"type":"array","maxItems":24,"items":{"type":"object","properties":{"ingredients":{"type":"array","maxItems":50,"items":{"type":"object","required":["name","amount"],"properties":{"name":{"type":"string","maxLength":100,"pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"},"amount":{"type":"string","maxLength":40,"pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"}}}},"recipeId":{"type":"integer","format":"int64","minimum":1,"maximum":9007199254740991},"servings":{"type":"number","minimum":0.1,"maximum":20},"ownFigures":{"type":"object","properties":{"calories":{"type":"number","minimum":0,"maximum":20000},"protein":{"type":"number","minimum":0,"maximum":5000},"carbs":{"type":"number","minimum":0,"maximum":5000},"fat":{"type":"number","minimum":0,"maximum":5000}}}}}},"preferences":{"type":"array","maxItems":30,"items":{"type":"string","minLength":1,"maxLength":50,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}},"allergies":{"type":"array","maxItems":30,"items":{"type":"string","minLength":1,"maxLength":50,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}}}};
const func1 = (part0.default ?? part0);
const pattern4 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern6 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const formats0 = part1.fullFormats.int64;

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="previewDietDay" */;
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
if(data.meals === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "meals"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.meals !== undefined){
let data0 = data.meals;
if(Array.isArray(data0)){
if(data0.length > 24){
const err1 = {instancePath:instancePath+"/meals",schemaPath:"#/properties/meals/maxItems",keyword:"maxItems",params:{limit: 24}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.ingredients !== undefined){
let data2 = data1.ingredients;
if(Array.isArray(data2)){
if(data2.length > 50){
const err2 = {instancePath:instancePath+"/meals/" + i0+"/ingredients",schemaPath:"#/properties/meals/items/properties/ingredients/maxItems",keyword:"maxItems",params:{limit: 50}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
let data3 = data2[i1];
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.name === undefined){
const err3 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1,schemaPath:"#/properties/meals/items/properties/ingredients/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data3.amount === undefined){
const err4 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1,schemaPath:"#/properties/meals/items/properties/ingredients/items/required",keyword:"required",params:{missingProperty: "amount"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data3.name !== undefined){
let data4 = data3.name;
if(typeof data4 === "string"){
if(func1(data4) > 100){
const err5 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/name/maxLength",keyword:"maxLength",params:{limit: 100}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!pattern4.test(data4)){
const err6 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/name/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data3.amount !== undefined){
let data5 = data3.amount;
if(typeof data5 === "string"){
if(func1(data5) > 40){
const err8 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/amount/maxLength",keyword:"maxLength",params:{limit: 40}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!pattern4.test(data5)){
const err9 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/amount/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount",schemaPath:"#/properties/meals/items/properties/ingredients/items/properties/amount/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/meals/" + i0+"/ingredients/" + i1,schemaPath:"#/properties/meals/items/properties/ingredients/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/meals/" + i0+"/ingredients",schemaPath:"#/properties/meals/items/properties/ingredients/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data1.recipeId !== undefined){
let data6 = data1.recipeId;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err13 = {instancePath:instancePath+"/meals/" + i0+"/recipeId",schemaPath:"#/properties/meals/items/properties/recipeId/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
const err14 = {instancePath:instancePath+"/meals/" + i0+"/recipeId",schemaPath:"#/properties/meals/items/properties/recipeId/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data6 < 1 || isNaN(data6)){
const err15 = {instancePath:instancePath+"/meals/" + i0+"/recipeId",schemaPath:"#/properties/meals/items/properties/recipeId/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!(formats0.validate(data6))){
const err16 = {instancePath:instancePath+"/meals/" + i0+"/recipeId",schemaPath:"#/properties/meals/items/properties/recipeId/format",keyword:"format",params:{format: "int64"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
if(data1.servings !== undefined){
let data7 = data1.servings;
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 20 || isNaN(data7)){
const err17 = {instancePath:instancePath+"/meals/" + i0+"/servings",schemaPath:"#/properties/meals/items/properties/servings/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(data7 < 0.1 || isNaN(data7)){
const err18 = {instancePath:instancePath+"/meals/" + i0+"/servings",schemaPath:"#/properties/meals/items/properties/servings/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0.1}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/meals/" + i0+"/servings",schemaPath:"#/properties/meals/items/properties/servings/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data1.ownFigures !== undefined){
let data8 = data1.ownFigures;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.calories !== undefined){
let data9 = data8.calories;
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 20000 || isNaN(data9)){
const err20 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/calories",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/calories/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20000}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(data9 < 0 || isNaN(data9)){
const err21 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/calories",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/calories/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
const err22 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/calories",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/calories/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data8.protein !== undefined){
let data10 = data8.protein;
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 5000 || isNaN(data10)){
const err23 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/protein",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/protein/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(data10 < 0 || isNaN(data10)){
const err24 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/protein",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/protein/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/protein",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/protein/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data8.carbs !== undefined){
let data11 = data8.carbs;
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 5000 || isNaN(data11)){
const err26 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/carbs",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/carbs/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data11 < 0 || isNaN(data11)){
const err27 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/carbs",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/carbs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/carbs",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/carbs/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data8.fat !== undefined){
let data12 = data8.fat;
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 5000 || isNaN(data12)){
const err29 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/fat",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/fat/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data12 < 0 || isNaN(data12)){
const err30 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/fat",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/fat/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
const err31 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures/fat",schemaPath:"#/properties/meals/items/properties/ownFigures/properties/fat/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath:instancePath+"/meals/" + i0+"/ownFigures",schemaPath:"#/properties/meals/items/properties/ownFigures/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
else {
const err33 = {instancePath:instancePath+"/meals/" + i0,schemaPath:"#/properties/meals/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
else {
const err34 = {instancePath:instancePath+"/meals",schemaPath:"#/properties/meals/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data.preferences !== undefined){
let data13 = data.preferences;
if(Array.isArray(data13)){
if(data13.length > 30){
const err35 = {instancePath:instancePath+"/preferences",schemaPath:"#/properties/preferences/maxItems",keyword:"maxItems",params:{limit: 30}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
const len2 = data13.length;
for(let i2=0; i2<len2; i2++){
let data14 = data13[i2];
if(typeof data14 === "string"){
if(func1(data14) > 50){
const err36 = {instancePath:instancePath+"/preferences/" + i2,schemaPath:"#/properties/preferences/items/maxLength",keyword:"maxLength",params:{limit: 50}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(func1(data14) < 1){
const err37 = {instancePath:instancePath+"/preferences/" + i2,schemaPath:"#/properties/preferences/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(!pattern6.test(data14)){
const err38 = {instancePath:instancePath+"/preferences/" + i2,schemaPath:"#/properties/preferences/items/pattern",keyword:"pattern",params:{pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
else {
const err39 = {instancePath:instancePath+"/preferences/" + i2,schemaPath:"#/properties/preferences/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
}
else {
const err40 = {instancePath:instancePath+"/preferences",schemaPath:"#/properties/preferences/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data.allergies !== undefined){
let data15 = data.allergies;
if(Array.isArray(data15)){
if(data15.length > 30){
const err41 = {instancePath:instancePath+"/allergies",schemaPath:"#/properties/allergies/maxItems",keyword:"maxItems",params:{limit: 30}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
const len3 = data15.length;
for(let i3=0; i3<len3; i3++){
let data16 = data15[i3];
if(typeof data16 === "string"){
if(func1(data16) > 50){
const err42 = {instancePath:instancePath+"/allergies/" + i3,schemaPath:"#/properties/allergies/items/maxLength",keyword:"maxLength",params:{limit: 50}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(func1(data16) < 1){
const err43 = {instancePath:instancePath+"/allergies/" + i3,schemaPath:"#/properties/allergies/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(!pattern6.test(data16)){
const err44 = {instancePath:instancePath+"/allergies/" + i3,schemaPath:"#/properties/allergies/items/pattern",keyword:"pattern",params:{pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
else {
const err45 = {instancePath:instancePath+"/allergies/" + i3,schemaPath:"#/properties/allergies/items/type",keyword:"type",params:{type: "string"}};
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
else {
const err46 = {instancePath:instancePath+"/allergies",schemaPath:"#/properties/allergies/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
else {
const err47 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"meals":true,"preferences":true,"allergies":true},"dynamicProps":false,"dynamicItems":false};

