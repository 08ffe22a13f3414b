// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern3 = new RegExp("^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="addApi" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.category === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "category"});
errors++;
}
if(data.method === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "method"});
errors++;
}
if(data.path === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "path"});
errors++;
}
if(data.category !== undefined){
let data0 = data.category;
if(typeof data0 === "string"){
if(func2(data0) > 50){
vErrors = found(vErrors, instancePath+"/category", "maxLength", {limit: 50});
errors++;
}
if(func2(data0) < 1){
vErrors = found(vErrors, instancePath+"/category", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/category", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/category", "type", {type: "string"});
errors++;
}
}
if(data.method !== undefined){
let data1 = data.method;
if(typeof data1 === "string"){
if(func2(data1) > 20){
vErrors = found(vErrors, instancePath+"/method", "maxLength", {limit: 20});
errors++;
}
if(func2(data1) < 1){
vErrors = found(vErrors, instancePath+"/method", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data1)){
vErrors = found(vErrors, instancePath+"/method", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/method", "type", {type: "string"});
errors++;
}
}
if(data.path !== undefined){
let data2 = data.path;
if(typeof data2 === "string"){
if(func2(data2) > 100){
vErrors = found(vErrors, instancePath+"/path", "maxLength", {limit: 100});
errors++;
}
if(func2(data2) < 1){
vErrors = found(vErrors, instancePath+"/path", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data2)){
vErrors = found(vErrors, instancePath+"/path", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/path", "type", {type: "string"});
errors++;
}
}
if(data.remark !== undefined){
let data3 = data.remark;
if(typeof data3 === "string"){
if(func2(data3) > 100){
vErrors = found(vErrors, instancePath+"/remark", "maxLength", {limit: 100});
errors++;
}
if(func2(data3) < 0){
vErrors = found(vErrors, instancePath+"/remark", "minLength", {limit: 0});
errors++;
}
if(!pattern3.test(data3)){
vErrors = found(vErrors, instancePath+"/remark", "pattern", {pattern: "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/remark", "type", {type: "string"});
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

