// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern2 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern3 = new RegExp("^[0-9a-f]{32}$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="updateMeal" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(func2(data0) > 100){
vErrors = found(vErrors, instancePath+"/name", "maxLength", {limit: 100});
errors++;
}
if(func2(data0) < 1){
vErrors = found(vErrors, instancePath+"/name", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/name", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/name", "type", {type: "string"});
errors++;
}
}
if(data.calories !== undefined){
let data1 = data.calories;
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 20000 || isNaN(data1)){
vErrors = found(vErrors, instancePath+"/calories", "maximum", {comparison: "<=", limit: 20000});
errors++;
}
if(data1 < 0 || isNaN(data1)){
vErrors = found(vErrors, instancePath+"/calories", "minimum", {comparison: ">=", limit: 0});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/calories", "type", {type: "number"});
errors++;
}
}
if(data.ingredients !== undefined){
let data2 = data.ingredients;
if(Array.isArray(data2)){
if(data2.length > 50){
vErrors = found(vErrors, instancePath+"/ingredients", "maxItems", {limit: 50});
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.name === undefined){
vErrors = found(vErrors, instancePath+"/ingredients/" + i0, "required", {missingProperty: "name"});
errors++;
}
if(data3.amount === undefined){
vErrors = found(vErrors, instancePath+"/ingredients/" + i0, "required", {missingProperty: "amount"});
errors++;
}
if(data3.name !== undefined){
let data4 = data3.name;
if(typeof data4 === "string"){
if(func2(data4) > 100){
vErrors = found(vErrors, instancePath+"/ingredients/" + i0+"/name", "maxLength", {limit: 100});
errors++;
}
if(func2(data4) < 1){
vErrors = found(vErrors, instancePath+"/ingredients/" + i0+"/name", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data4)){
vErrors = found(vErrors, instancePath+"/ingredients/" + i0+"/name", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/ingredients/" + i0+"/name", "type", {type: "string"});
errors++;
}
}
if(data3.amount !== undefined){
let data5 = data3.amount;
if(typeof data5 === "string"){
if(func2(data5) > 40){
vErrors = found(vErrors, instancePath+"/ingredients/" + i0+"/amount", "maxLength", {limit: 40});
errors++;
}
if(func2(data5) < 1){
vErrors = found(vErrors, instancePath+"/ingredients/" + i0+"/amount", "minLength", {limit: 1});
errors++;
}
if(!pattern2.test(data5)){
vErrors = found(vErrors, instancePath+"/ingredients/" + i0+"/amount", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/ingredients/" + i0+"/amount", "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/ingredients/" + i0, "type", {type: "object"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/ingredients", "type", {type: "array"});
errors++;
}
}
if(data.version !== undefined){
let data6 = data.version;
if(typeof data6 === "string"){
if(func2(data6) > 32){
vErrors = found(vErrors, instancePath+"/version", "maxLength", {limit: 32});
errors++;
}
if(!pattern3.test(data6)){
vErrors = found(vErrors, instancePath+"/version", "pattern", {pattern: "^[0-9a-f]{32}$"});
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

