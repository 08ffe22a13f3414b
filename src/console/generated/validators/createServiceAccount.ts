// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$", "u");
const pattern1 = new RegExp("^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$", "u");
const pattern2 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="createServiceAccount" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "name"});
errors++;
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(func2(data0) > 64){
vErrors = found(vErrors, instancePath+"/name", "maxLength", {limit: 64});
errors++;
}
if(func2(data0) < 1){
vErrors = found(vErrors, instancePath+"/name", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/name", "pattern", {pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/name", "type", {type: "string"});
errors++;
}
}
if(data.description !== undefined){
let data1 = data.description;
if(typeof data1 === "string"){
if(func2(data1) > 200){
vErrors = found(vErrors, instancePath+"/description", "maxLength", {limit: 200});
errors++;
}
if(!pattern1.test(data1)){
vErrors = found(vErrors, instancePath+"/description", "pattern", {pattern: "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/description", "type", {type: "string"});
errors++;
}
}
if(data.people !== undefined){
if(typeof data.people !== "boolean"){
vErrors = found(vErrors, instancePath+"/people", "type", {type: "boolean"});
errors++;
}
}
if(data.peopleFilter !== undefined){
let data3 = data.peopleFilter;
if(typeof data3 === "string"){
if(func2(data3) > 1000){
vErrors = found(vErrors, instancePath+"/peopleFilter", "maxLength", {limit: 1000});
errors++;
}
if(!pattern2.test(data3)){
vErrors = found(vErrors, instancePath+"/peopleFilter", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/peopleFilter", "type", {type: "string"});
errors++;
}
}
if(data.groups !== undefined){
if(typeof data.groups !== "boolean"){
vErrors = found(vErrors, instancePath+"/groups", "type", {type: "boolean"});
errors++;
}
}
if(data.groupFilter !== undefined){
let data5 = data.groupFilter;
if(typeof data5 === "string"){
if(func2(data5) > 1000){
vErrors = found(vErrors, instancePath+"/groupFilter", "maxLength", {limit: 1000});
errors++;
}
if(!pattern2.test(data5)){
vErrors = found(vErrors, instancePath+"/groupFilter", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/groupFilter", "type", {type: "string"});
errors++;
}
}
if(data.ntHashes !== undefined){
if(typeof data.ntHashes !== "boolean"){
vErrors = found(vErrors, instancePath+"/ntHashes", "type", {type: "boolean"});
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

