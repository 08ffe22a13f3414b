// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="changeOwnPassword" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.oldPassword === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "oldPassword"});
errors++;
}
if(data.newPassword === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "newPassword"});
errors++;
}
if(data.oldPassword !== undefined){
let data0 = data.oldPassword;
if(typeof data0 === "string"){
if(func2(data0) > 1024){
vErrors = found(vErrors, instancePath+"/oldPassword", "maxLength", {limit: 1024});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/oldPassword", "type", {type: "string"});
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
if(func2(data1) < 8){
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

