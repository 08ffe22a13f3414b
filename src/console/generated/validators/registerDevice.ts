// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern2 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="registerDevice" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "name"});
errors++;
}
if(data.type === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "type"});
errors++;
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(func2(data0) > 100){
vErrors = found(vErrors, instancePath+"/name", "maxLength", {limit: 100});
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
if(data.type !== undefined){
let data1 = data.type;
if(typeof data1 === "string"){
if(func2(data1) > 50){
vErrors = found(vErrors, instancePath+"/type", "maxLength", {limit: 50});
errors++;
}
if(func2(data1) < 1){
vErrors = found(vErrors, instancePath+"/type", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data1)){
vErrors = found(vErrors, instancePath+"/type", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/type", "type", {type: "string"});
errors++;
}
}
if(data.location !== undefined){
let data2 = data.location;
if(typeof data2 === "string"){
if(func2(data2) > 200){
vErrors = found(vErrors, instancePath+"/location", "maxLength", {limit: 200});
errors++;
}
if(!pattern2.test(data2)){
vErrors = found(vErrors, instancePath+"/location", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/location", "type", {type: "string"});
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

