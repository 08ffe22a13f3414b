// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const formats0 = formats.date;
const formats2 = formats.int64;
const pattern0 = new RegExp("^[1-9]\\d{3}-\\d{2}-\\d{2}$", "u");
const pattern1 = new RegExp("^([01]\\d|2[0-3]):[0-5]\\d$", "u");
const pattern2 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern3 = new RegExp("^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$", "u");
const pattern5 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern8 = new RegExp("^([0-9a-f]{32})?$", "u");
const func2 = (part1.default ?? part1);

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="savePlan" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.date === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "date"});
errors++;
}
if(data.meals === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "meals"});
errors++;
}
if(data.date !== undefined){
let data0 = data.date;
if(typeof data0 === "string"){
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/date", "pattern", {pattern: "^[1-9]\\d{3}-\\d{2}-\\d{2}$"});
errors++;
}
if(!(formats0.validate(data0))){
vErrors = found(vErrors, instancePath+"/date", "format", {format: "date"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/date", "type", {type: "string"});
errors++;
}
}
if(data.meals !== undefined){
let data1 = data.meals;
if(Array.isArray(data1)){
if(data1.length > 24){
vErrors = found(vErrors, instancePath+"/meals", "maxItems", {limit: 24});
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.time === undefined){
vErrors = found(vErrors, instancePath+"/meals/" + i0, "required", {missingProperty: "time"});
errors++;
}
if(data2.time !== undefined){
let data3 = data2.time;
if(typeof data3 === "string"){
if(!pattern1.test(data3)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/time", "pattern", {pattern: "^([01]\\d|2[0-3]):[0-5]\\d$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/time", "type", {type: "string"});
errors++;
}
}
if(data2.name !== undefined){
let data4 = data2.name;
if(typeof data4 === "string"){
if(func2(data4) > 100){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/name", "maxLength", {limit: 100});
errors++;
}
if(func2(data4) < 1){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/name", "minLength", {limit: 1});
errors++;
}
if(!pattern2.test(data4)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/name", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/name", "type", {type: "string"});
errors++;
}
}
if(data2.description !== undefined){
let data5 = data2.description;
if(typeof data5 === "string"){
if(func2(data5) > 500){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/description", "maxLength", {limit: 500});
errors++;
}
if(!pattern3.test(data5)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/description", "pattern", {pattern: "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/description", "type", {type: "string"});
errors++;
}
}
if(data2.ingredients !== undefined){
let data6 = data2.ingredients;
if(Array.isArray(data6)){
if(data6.length > 50){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients", "maxItems", {limit: 50});
errors++;
}
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
let data7 = data6[i1];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.name === undefined){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1, "required", {missingProperty: "name"});
errors++;
}
if(data7.amount === undefined){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1, "required", {missingProperty: "amount"});
errors++;
}
if(data7.name !== undefined){
let data8 = data7.name;
if(typeof data8 === "string"){
if(func2(data8) > 100){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name", "maxLength", {limit: 100});
errors++;
}
if(func2(data8) < 1){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name", "minLength", {limit: 1});
errors++;
}
if(!pattern2.test(data8)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name", "type", {type: "string"});
errors++;
}
}
if(data7.amount !== undefined){
let data9 = data7.amount;
if(typeof data9 === "string"){
if(func2(data9) > 40){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount", "maxLength", {limit: 40});
errors++;
}
if(func2(data9) < 1){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount", "minLength", {limit: 1});
errors++;
}
if(!pattern5.test(data9)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount", "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1, "type", {type: "object"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients", "type", {type: "array"});
errors++;
}
}
if(data2.calories !== undefined){
let data10 = data2.calories;
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 20000 || isNaN(data10)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/calories", "maximum", {comparison: "<=", limit: 20000});
errors++;
}
if(data10 < 0 || isNaN(data10)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/calories", "minimum", {comparison: ">=", limit: 0});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/calories", "type", {type: "number"});
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
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/nutrition/protein", "maximum", {comparison: "<=", limit: 5000});
errors++;
}
if(data12 < 0 || isNaN(data12)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/nutrition/protein", "minimum", {comparison: ">=", limit: 0});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/nutrition/protein", "type", {type: "number"});
errors++;
}
}
if(data11.carbs !== undefined){
let data13 = data11.carbs;
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 5000 || isNaN(data13)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/nutrition/carbs", "maximum", {comparison: "<=", limit: 5000});
errors++;
}
if(data13 < 0 || isNaN(data13)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/nutrition/carbs", "minimum", {comparison: ">=", limit: 0});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/nutrition/carbs", "type", {type: "number"});
errors++;
}
}
if(data11.fat !== undefined){
let data14 = data11.fat;
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 5000 || isNaN(data14)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/nutrition/fat", "maximum", {comparison: "<=", limit: 5000});
errors++;
}
if(data14 < 0 || isNaN(data14)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/nutrition/fat", "minimum", {comparison: ">=", limit: 0});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/nutrition/fat", "type", {type: "number"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/nutrition", "type", {type: "object"});
errors++;
}
}
if(data2.fromRecipe !== undefined){
let data15 = data2.fromRecipe;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/fromRecipe", "type", {type: "integer"});
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 9007199254740991 || isNaN(data15)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/fromRecipe", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data15 < 1 || isNaN(data15)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/fromRecipe", "minimum", {comparison: ">=", limit: 1});
errors++;
}
}
}
if(data2.recipeId !== undefined){
let data16 = data2.recipeId;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/recipeId", "type", {type: "integer"});
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 9007199254740991 || isNaN(data16)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/recipeId", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data16 < 1 || isNaN(data16)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/recipeId", "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats2.validate(data16))){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/recipeId", "format", {format: "int64"});
errors++;
}
}
}
if(data2.servings !== undefined){
let data17 = data2.servings;
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 20 || isNaN(data17)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/servings", "maximum", {comparison: "<=", limit: 20});
errors++;
}
if(data17 < 0.1 || isNaN(data17)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/servings", "minimum", {comparison: ">=", limit: 0.1});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/servings", "type", {type: "number"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0, "type", {type: "object"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/meals", "type", {type: "array"});
errors++;
}
}
if(data.preferences !== undefined){
let data18 = data.preferences;
if(Array.isArray(data18)){
if(data18.length > 30){
vErrors = found(vErrors, instancePath+"/preferences", "maxItems", {limit: 30});
errors++;
}
const len2 = data18.length;
for(let i2=0; i2<len2; i2++){
let data19 = data18[i2];
if(typeof data19 === "string"){
if(func2(data19) > 50){
vErrors = found(vErrors, instancePath+"/preferences/" + i2, "maxLength", {limit: 50});
errors++;
}
if(func2(data19) < 1){
vErrors = found(vErrors, instancePath+"/preferences/" + i2, "minLength", {limit: 1});
errors++;
}
if(!pattern2.test(data19)){
vErrors = found(vErrors, instancePath+"/preferences/" + i2, "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/preferences/" + i2, "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/preferences", "type", {type: "array"});
errors++;
}
}
if(data.allergies !== undefined){
let data20 = data.allergies;
if(Array.isArray(data20)){
if(data20.length > 30){
vErrors = found(vErrors, instancePath+"/allergies", "maxItems", {limit: 30});
errors++;
}
const len3 = data20.length;
for(let i3=0; i3<len3; i3++){
let data21 = data20[i3];
if(typeof data21 === "string"){
if(func2(data21) > 50){
vErrors = found(vErrors, instancePath+"/allergies/" + i3, "maxLength", {limit: 50});
errors++;
}
if(func2(data21) < 1){
vErrors = found(vErrors, instancePath+"/allergies/" + i3, "minLength", {limit: 1});
errors++;
}
if(!pattern2.test(data21)){
vErrors = found(vErrors, instancePath+"/allergies/" + i3, "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/allergies/" + i3, "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/allergies", "type", {type: "array"});
errors++;
}
}
if(data.version !== undefined){
let data22 = data.version;
if(typeof data22 === "string"){
if(func2(data22) > 32){
vErrors = found(vErrors, instancePath+"/version", "maxLength", {limit: 32});
errors++;
}
if(!pattern8.test(data22)){
vErrors = found(vErrors, instancePath+"/version", "pattern", {pattern: "^([0-9a-f]{32})?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/version", "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath, "type", {type: "object"});
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

