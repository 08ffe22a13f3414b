// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^([!#-'*+\\--9=?A-Z^-~]+@[!#-'*+\\--9=?A-Z^-~]*[!#-'*+\\-/-9=?A-Z^-~])?$", "u");
const pattern1 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="changePasswordByCode" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.mail === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "mail"});
errors++;
}
if(data.code === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "code"});
errors++;
}
if(data.mail !== undefined){
let data0 = data.mail;
if(typeof data0 === "string"){
if(func2(data0) > 100){
vErrors = found(vErrors, instancePath+"/mail", "maxLength", {limit: 100});
errors++;
}
if(func2(data0) < 0){
vErrors = found(vErrors, instancePath+"/mail", "minLength", {limit: 0});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/mail", "pattern", {pattern: "^([!#-'*+\\--9=?A-Z^-~]+@[!#-'*+\\--9=?A-Z^-~]*[!#-'*+\\-/-9=?A-Z^-~])?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/mail", "type", {type: "string"});
errors++;
}
}
if(data.code !== undefined){
let data1 = data.code;
if(typeof data1 === "string"){
if(func2(data1) > 20){
vErrors = found(vErrors, instancePath+"/code", "maxLength", {limit: 20});
errors++;
}
if(!pattern1.test(data1)){
vErrors = found(vErrors, instancePath+"/code", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/code", "type", {type: "string"});
errors++;
}
}
if(data.newPassword !== undefined){
let data2 = data.newPassword;
if(typeof data2 === "string"){
if(func2(data2) > 1024){
vErrors = found(vErrors, instancePath+"/newPassword", "maxLength", {limit: 1024});
errors++;
}
if(func2(data2) < 8){
vErrors = found(vErrors, instancePath+"/newPassword", "minLength", {limit: 8});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/newPassword", "type", {type: "string"});
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

