// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="addMySshKey" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "name"});
errors++;
}
if(data.key === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "key"});
errors++;
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(func2(data0) > 60){
vErrors = found(vErrors, instancePath+"/name", "maxLength", {limit: 60});
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
if(data.key !== undefined){
let data1 = data.key;
if(typeof data1 === "string"){
if(func2(data1) > 8000){
vErrors = found(vErrors, instancePath+"/key", "maxLength", {limit: 8000});
errors++;
}
if(func2(data1) < 1){
vErrors = found(vErrors, instancePath+"/key", "minLength", {limit: 1});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/key", "type", {type: "string"});
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

