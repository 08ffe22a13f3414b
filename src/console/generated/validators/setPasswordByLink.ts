// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="setPasswordByLink" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.token === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "token"});
errors++;
}
if(data.newPassword === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "newPassword"});
errors++;
}
if(data.token !== undefined){
let data0 = data.token;
if(typeof data0 === "string"){
if(func2(data0) > 100){
vErrors = found(vErrors, instancePath+"/token", "maxLength", {limit: 100});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/token", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/token", "type", {type: "string"});
errors++;
}
}
if(data.newPassword !== undefined){
let data1 = data.newPassword;
if(typeof data1 === "string"){
if(func2(data1) > 1024){
vErrors = found(vErrors, instancePath+"/newPassword", "maxLength", {limit: 1024});
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

