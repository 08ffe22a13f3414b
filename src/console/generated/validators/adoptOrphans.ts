// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part0.default ?? part0);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern1 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern2 = new RegExp("^[0-9a-f]{64}$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="adoptOrphans" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.dns !== undefined){
let data0 = data.dns;
if(Array.isArray(data0)){
if(data0.length > 1000){
vErrors = found(vErrors, instancePath+"/dns", "maxItems", {limit: 1000});
errors++;
}
if(data0.length < 1){
vErrors = found(vErrors, instancePath+"/dns", "minItems", {limit: 1});
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(typeof data1 === "string"){
if(func2(data1) > 4000){
vErrors = found(vErrors, instancePath+"/dns/" + i0, "maxLength", {limit: 4000});
errors++;
}
if(func2(data1) < 1){
vErrors = found(vErrors, instancePath+"/dns/" + i0, "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data1)){
vErrors = found(vErrors, instancePath+"/dns/" + i0, "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/dns/" + i0, "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/dns", "type", {type: "array"});
errors++;
}
}
if(data.filter !== undefined){
let data2 = data.filter;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.kind !== undefined){
let data3 = data2.kind;
if(typeof data3 !== "string"){
vErrors = found(vErrors, instancePath+"/filter/kind", "type", {type: "string"});
errors++;
}
if(!((data3 === "user") || (data3 === "group"))){
vErrors = found(vErrors, instancePath+"/filter/kind", "enum", {allowedValues: ["user","group"]});
errors++;
}
}
if(data2.text !== undefined){
let data4 = data2.text;
if(typeof data4 === "string"){
if(func2(data4) > 500){
vErrors = found(vErrors, instancePath+"/filter/text", "maxLength", {limit: 500});
errors++;
}
if(!pattern1.test(data4)){
vErrors = found(vErrors, instancePath+"/filter/text", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/filter/text", "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/filter", "type", {type: "object"});
errors++;
}
}
if(data.hash !== undefined){
let data5 = data.hash;
if(typeof data5 === "string"){
if(func2(data5) > 64){
vErrors = found(vErrors, instancePath+"/hash", "maxLength", {limit: 64});
errors++;
}
if(func2(data5) < 64){
vErrors = found(vErrors, instancePath+"/hash", "minLength", {limit: 64});
errors++;
}
if(!pattern2.test(data5)){
vErrors = found(vErrors, instancePath+"/hash", "pattern", {pattern: "^[0-9a-f]{64}$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/hash", "type", {type: "string"});
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

