// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;
const func2 = (part1.default ?? part1);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern1 = new RegExp("^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="updateFieldRelation" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "id"});
errors++;
}
if(data.flag === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "flag"});
errors++;
}
if(data.attributes === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "attributes"});
errors++;
}
if(data.id !== undefined){
let data0 = data.id;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = found(vErrors, instancePath+"/id", "type", {type: "integer"});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/id", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data0 < 1 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/id", "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data0))){
vErrors = found(vErrors, instancePath+"/id", "format", {format: "int64"});
errors++;
}
}
}
if(data.flag !== undefined){
let data1 = data.flag;
if(typeof data1 === "string"){
if(func2(data1) > 20){
vErrors = found(vErrors, instancePath+"/flag", "maxLength", {limit: 20});
errors++;
}
if(func2(data1) < 1){
vErrors = found(vErrors, instancePath+"/flag", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data1)){
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
let data2 = data.attributes;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(Object.keys(data2).length > 100){
vErrors = found(vErrors, instancePath+"/attributes", "maxProperties", {limit: 100});
errors++;
}
for(const key0 in data2){
let data3 = data2[key0];
if(typeof data3 === "string"){
if(func2(data3) > 1024){
vErrors = found(vErrors, instancePath+"/attributes/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), "maxLength", {limit: 1024});
errors++;
}
if(!pattern1.test(data3)){
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

