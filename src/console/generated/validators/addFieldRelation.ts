// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern1 = new RegExp("^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="addFieldRelation" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.flag === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "flag"});
errors++;
}
if(data.attributes === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "attributes"});
errors++;
}
if(data.flag !== undefined){
let data0 = data.flag;
if(typeof data0 === "string"){
if(func2(data0) > 20){
vErrors = found(vErrors, instancePath+"/flag", "maxLength", {limit: 20});
errors++;
}
if(func2(data0) < 1){
vErrors = found(vErrors, instancePath+"/flag", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data0)){
vErrors = found(vErrors, instancePath+"/flag", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/flag", "type", {type: "string"});
errors++;
}
}
if(data.attributes !== undefined){
let data1 = data.attributes;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(Object.keys(data1).length > 100){
vErrors = found(vErrors, instancePath+"/attributes", "maxProperties", {limit: 100});
errors++;
}
for(const key0 in data1){
let data2 = data1[key0];
if(typeof data2 === "string"){
if(func2(data2) > 1024){
vErrors = found(vErrors, instancePath+"/attributes/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), "maxLength", {limit: 1024});
errors++;
}
if(!pattern1.test(data2)){
vErrors = found(vErrors, instancePath+"/attributes/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), "pattern", {pattern: "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/attributes/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/attributes", "type", {type: "object"});
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

