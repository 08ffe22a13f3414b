// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part1.default ?? part1);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern1 = new RegExp("^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$", "u");
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="addGroup" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.groupName === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "groupName"});
errors++;
}
if(data.groupType === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "groupType"});
errors++;
}
if(data.parentId === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "parentId"});
errors++;
}
if(data.groupName !== undefined){
let data0 = data.groupName;
if(typeof data0 === "string"){
if(func2(data0) > 128){
vErrors = found(vErrors, instancePath+"/groupName", "maxLength", {limit: 128});
errors++;
}
if(func2(data0) < 1){
vErrors = found(vErrors, instancePath+"/groupName", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/groupName", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/groupName", "type", {type: "string"});
errors++;
}
}
if(data.groupType !== undefined){
let data1 = data.groupType;
if(typeof data1 !== "string"){
vErrors = found(vErrors, instancePath+"/groupType", "type", {type: "string"});
errors++;
}
if(!((data1 === "ou") || (data1 === "cn"))){
vErrors = found(vErrors, instancePath+"/groupType", "enum", {allowedValues: ["ou","cn"]});
errors++;
}
}
if(data.parentId !== undefined){
let data2 = data.parentId;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
vErrors = found(vErrors, instancePath+"/parentId", "type", {type: "integer"});
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 9007199254740991 || isNaN(data2)){
vErrors = found(vErrors, instancePath+"/parentId", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data2 < 0 || isNaN(data2)){
vErrors = found(vErrors, instancePath+"/parentId", "minimum", {comparison: ">=", limit: 0});
errors++;
}
if(!(formats0.validate(data2))){
vErrors = found(vErrors, instancePath+"/parentId", "format", {format: "int64"});
errors++;
}
}
}
if(data.remark !== undefined){
let data3 = data.remark;
if(typeof data3 === "string"){
if(func2(data3) > 128){
vErrors = found(vErrors, instancePath+"/remark", "maxLength", {limit: 128});
errors++;
}
if(func2(data3) < 0){
vErrors = found(vErrors, instancePath+"/remark", "minLength", {limit: 0});
errors++;
}
if(!pattern1.test(data3)){
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

