// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="previewOrphans" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.action === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "action"});
errors++;
}
if(data.filter === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "filter"});
errors++;
}
if(data.action !== undefined){
let data0 = data.action;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/action", "type", {type: "string"});
errors++;
}
if(!((data0 === "adopt") || (data0 === "ignore"))){
vErrors = found(vErrors, instancePath+"/action", "enum", {allowedValues: ["adopt","ignore"]});
errors++;
}
}
if(data.filter !== undefined){
let data1 = data.filter;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.kind !== undefined){
let data2 = data1.kind;
if(typeof data2 !== "string"){
vErrors = found(vErrors, instancePath+"/filter/kind", "type", {type: "string"});
errors++;
}
if(!((data2 === "user") || (data2 === "group"))){
vErrors = found(vErrors, instancePath+"/filter/kind", "enum", {allowedValues: ["user","group"]});
errors++;
}
}
if(data1.text !== undefined){
let data3 = data1.text;
if(typeof data3 === "string"){
if(func2(data3) > 500){
vErrors = found(vErrors, instancePath+"/filter/text", "maxLength", {limit: 500});
errors++;
}
if(!pattern0.test(data3)){
vErrors = found(vErrors, instancePath+"/filter/text", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/filter/text", "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/filter", "type", {type: "object"});
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

