// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[0-9a-f]{64}$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="changeGroupLayout" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.planHash === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "planHash"});
errors++;
}
if(data.planHash !== undefined){
let data0 = data.planHash;
if(typeof data0 === "string"){
if(func2(data0) > 64){
vErrors = found(vErrors, instancePath+"/planHash", "maxLength", {limit: 64});
errors++;
}
if(func2(data0) < 64){
vErrors = found(vErrors, instancePath+"/planHash", "minLength", {limit: 64});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/planHash", "pattern", {pattern: "^[0-9a-f]{64}$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/planHash", "type", {type: "string"});
errors++;
}
}
if(data.confirmed !== undefined){
if(typeof data.confirmed !== "boolean"){
vErrors = found(vErrors, instancePath+"/confirmed", "type", {type: "boolean"});
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

