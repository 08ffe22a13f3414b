// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part1.default ?? part1);
const pattern0 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern2 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="previewDietDay" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.meals === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "meals"});
errors++;
}
if(data.meals !== undefined){
let data0 = data.meals;
if(Array.isArray(data0)){
if(data0.length > 24){
vErrors = found(vErrors, instancePath+"/meals", "maxItems", {limit: 24});
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
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients", "maxItems", {limit: 50});
errors++;
}
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
let data3 = data2[i1];
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.name === undefined){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1, "required", {missingProperty: "name"});
errors++;
}
if(data3.amount === undefined){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1, "required", {missingProperty: "amount"});
errors++;
}
if(data3.name !== undefined){
let data4 = data3.name;
if(typeof data4 === "string"){
if(func2(data4) > 100){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name", "maxLength", {limit: 100});
errors++;
}
if(!pattern0.test(data4)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/name", "type", {type: "string"});
errors++;
}
}
if(data3.amount !== undefined){
let data5 = data3.amount;
if(typeof data5 === "string"){
if(func2(data5) > 40){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ingredients/" + i1+"/amount", "maxLength", {limit: 40});
errors++;
}
if(!pattern0.test(data5)){
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
if(data1.recipeId !== undefined){
let data6 = data1.recipeId;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/recipeId", "type", {type: "integer"});
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/recipeId", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data6 < 1 || isNaN(data6)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/recipeId", "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data6))){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/recipeId", "format", {format: "int64"});
errors++;
}
}
}
if(data1.servings !== undefined){
let data7 = data1.servings;
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 20 || isNaN(data7)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/servings", "maximum", {comparison: "<=", limit: 20});
errors++;
}
if(data7 < 0.1 || isNaN(data7)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/servings", "minimum", {comparison: ">=", limit: 0.1});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/servings", "type", {type: "number"});
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
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/calories", "maximum", {comparison: "<=", limit: 20000});
errors++;
}
if(data9 < 0 || isNaN(data9)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/calories", "minimum", {comparison: ">=", limit: 0});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/calories", "type", {type: "number"});
errors++;
}
}
if(data8.protein !== undefined){
let data10 = data8.protein;
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 5000 || isNaN(data10)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/protein", "maximum", {comparison: "<=", limit: 5000});
errors++;
}
if(data10 < 0 || isNaN(data10)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/protein", "minimum", {comparison: ">=", limit: 0});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/protein", "type", {type: "number"});
errors++;
}
}
if(data8.carbs !== undefined){
let data11 = data8.carbs;
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 5000 || isNaN(data11)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/carbs", "maximum", {comparison: "<=", limit: 5000});
errors++;
}
if(data11 < 0 || isNaN(data11)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/carbs", "minimum", {comparison: ">=", limit: 0});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/carbs", "type", {type: "number"});
errors++;
}
}
if(data8.fat !== undefined){
let data12 = data8.fat;
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 5000 || isNaN(data12)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/fat", "maximum", {comparison: "<=", limit: 5000});
errors++;
}
if(data12 < 0 || isNaN(data12)){
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/fat", "minimum", {comparison: ">=", limit: 0});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures/fat", "type", {type: "number"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/meals/" + i0+"/ownFigures", "type", {type: "object"});
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
let data13 = data.preferences;
if(Array.isArray(data13)){
if(data13.length > 30){
vErrors = found(vErrors, instancePath+"/preferences", "maxItems", {limit: 30});
errors++;
}
const len2 = data13.length;
for(let i2=0; i2<len2; i2++){
let data14 = data13[i2];
if(typeof data14 === "string"){
if(func2(data14) > 50){
vErrors = found(vErrors, instancePath+"/preferences/" + i2, "maxLength", {limit: 50});
errors++;
}
if(func2(data14) < 1){
vErrors = found(vErrors, instancePath+"/preferences/" + i2, "minLength", {limit: 1});
errors++;
}
if(!pattern2.test(data14)){
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
let data15 = data.allergies;
if(Array.isArray(data15)){
if(data15.length > 30){
vErrors = found(vErrors, instancePath+"/allergies", "maxItems", {limit: 30});
errors++;
}
const len3 = data15.length;
for(let i3=0; i3<len3; i3++){
let data16 = data15[i3];
if(typeof data16 === "string"){
if(func2(data16) > 50){
vErrors = found(vErrors, instancePath+"/allergies/" + i3, "maxLength", {limit: 50});
errors++;
}
if(func2(data16) < 1){
vErrors = found(vErrors, instancePath+"/allergies/" + i3, "minLength", {limit: 1});
errors++;
}
if(!pattern2.test(data16)){
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
}
else {
vErrors = found(vErrors, instancePath, "type", {type: "object"});
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

