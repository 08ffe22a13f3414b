// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern2 = new RegExp("^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="addRole" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "name"});
errors++;
}
if(data.keyword === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "keyword"});
errors++;
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(func2(data0) > 20){
vErrors = found(vErrors, instancePath+"/name", "maxLength", {limit: 20});
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
if(data.keyword !== undefined){
let data1 = data.keyword;
if(typeof data1 === "string"){
if(func2(data1) > 20){
vErrors = found(vErrors, instancePath+"/keyword", "maxLength", {limit: 20});
errors++;
}
if(func2(data1) < 1){
vErrors = found(vErrors, instancePath+"/keyword", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data1)){
vErrors = found(vErrors, instancePath+"/keyword", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/keyword", "type", {type: "string"});
errors++;
}
}
if(data.remark !== undefined){
let data2 = data.remark;
if(typeof data2 === "string"){
if(func2(data2) > 100){
vErrors = found(vErrors, instancePath+"/remark", "maxLength", {limit: 100});
errors++;
}
if(func2(data2) < 0){
vErrors = found(vErrors, instancePath+"/remark", "minLength", {limit: 0});
errors++;
}
if(!pattern2.test(data2)){
vErrors = found(vErrors, instancePath+"/remark", "pattern", {pattern: "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/remark", "type", {type: "string"});
errors++;
}
}
if(data.sort !== undefined){
let data3 = data.sort;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
vErrors = found(vErrors, instancePath+"/sort", "type", {type: "integer"});
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 999 || isNaN(data3)){
vErrors = found(vErrors, instancePath+"/sort", "maximum", {comparison: "<=", limit: 999});
errors++;
}
if(data3 < 1 || isNaN(data3)){
vErrors = found(vErrors, instancePath+"/sort", "minimum", {comparison: ">=", limit: 1});
errors++;
}
}
}
if(data.status !== undefined){
let data4 = data.status;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
vErrors = found(vErrors, instancePath+"/status", "type", {type: "integer"});
errors++;
}
if(!((data4 === 1) || (data4 === 2))){
vErrors = found(vErrors, instancePath+"/status", "enum", {allowedValues: [1,2]});
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

