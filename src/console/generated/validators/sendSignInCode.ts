// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="sendSignInCode" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.username === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "username"});
errors++;
}
if(data.password === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "password"});
errors++;
}
if(data.username !== undefined){
let data0 = data.username;
if(typeof data0 === "string"){
if(func2(data0) > 255){
vErrors = found(vErrors, instancePath+"/username", "maxLength", {limit: 255});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/username", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/username", "type", {type: "string"});
errors++;
}
}
if(data.password !== undefined){
let data1 = data.password;
if(typeof data1 === "string"){
if(func2(data1) > 1024){
vErrors = found(vErrors, instancePath+"/password", "maxLength", {limit: 1024});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/password", "type", {type: "string"});
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

