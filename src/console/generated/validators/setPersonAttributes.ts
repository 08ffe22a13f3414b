// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern1 = new RegExp("^[0-9a-f]{32}$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="setPersonAttributes" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.values === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "values"});
errors++;
}
if(data.values !== undefined){
let data0 = data.values;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(Object.keys(data0).length > 50){
vErrors = found(vErrors, instancePath+"/values", "maxProperties", {limit: 50});
errors++;
}
for(const key0 in data0){
let data1 = data0[key0];
if(Array.isArray(data1)){
if(data1.length > 50){
vErrors = found(vErrors, instancePath+"/values/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), "maxItems", {limit: 50});
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 === "string"){
if(func2(data2) > 1000){
vErrors = found(vErrors, instancePath+"/values/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0, "maxLength", {limit: 1000});
errors++;
}
if(func2(data2) < 1){
vErrors = found(vErrors, instancePath+"/values/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0, "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data2)){
vErrors = found(vErrors, instancePath+"/values/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0, "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/values/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i0, "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/values/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), "type", {type: "array"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/values", "type", {type: "object"});
errors++;
}
}
if(data.version !== undefined){
let data3 = data.version;
if(typeof data3 === "string"){
if(func2(data3) > 32){
vErrors = found(vErrors, instancePath+"/version", "maxLength", {limit: 32});
errors++;
}
if(!pattern1.test(data3)){
vErrors = found(vErrors, instancePath+"/version", "pattern", {pattern: "^[0-9a-f]{32}$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/version", "type", {type: "string"});
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

