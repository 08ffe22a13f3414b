// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv-formats/dist/formats.js'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"updateApi","type":"object","required":["id"],"properties":{"id":{"type":"integer","format":"int64","minimum":1,"maximum":9007199254740991},"category":{"type":"string","minLength":1,"maxLength":50,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"},"method":{"type":"string","minLength":1,"maxLength":20,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"},"path":{"type":"string","minLength":1,"maxLength":100,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"},"remark":{"type":"string","minLength":0,"maxLength":100,"pattern":"^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"},"version":{"type":"string","maxLength":32,"pattern":"^[0-9a-f]{32}$"}}};
const formats0 = part0.fullFormats.int64;
const func1 = (part1.default ?? part1);
const pattern4 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern7 = new RegExp("^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$", "u");
const pattern8 = new RegExp("^[0-9a-f]{32}$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="updateApi" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "id"});
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
if(data.category !== undefined){
let data1 = data.category;
if(typeof data1 === "string"){
if(func1(data1) > 50){
vErrors = found(vErrors, instancePath+"/category", "maxLength", {limit: 50});
errors++;
}
if(func1(data1) < 1){
vErrors = found(vErrors, instancePath+"/category", "minLength", {limit: 1});
errors++;
}
if(!pattern4.test(data1)){
vErrors = found(vErrors, instancePath+"/category", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/category", "type", {type: "string"});
errors++;
}
}
if(data.method !== undefined){
let data2 = data.method;
if(typeof data2 === "string"){
if(func1(data2) > 20){
vErrors = found(vErrors, instancePath+"/method", "maxLength", {limit: 20});
errors++;
}
if(func1(data2) < 1){
vErrors = found(vErrors, instancePath+"/method", "minLength", {limit: 1});
errors++;
}
if(!pattern4.test(data2)){
vErrors = found(vErrors, instancePath+"/method", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/method", "type", {type: "string"});
errors++;
}
}
if(data.path !== undefined){
let data3 = data.path;
if(typeof data3 === "string"){
if(func1(data3) > 100){
vErrors = found(vErrors, instancePath+"/path", "maxLength", {limit: 100});
errors++;
}
if(func1(data3) < 1){
vErrors = found(vErrors, instancePath+"/path", "minLength", {limit: 1});
errors++;
}
if(!pattern4.test(data3)){
vErrors = found(vErrors, instancePath+"/path", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/path", "type", {type: "string"});
errors++;
}
}
if(data.remark !== undefined){
let data4 = data.remark;
if(typeof data4 === "string"){
if(func1(data4) > 100){
vErrors = found(vErrors, instancePath+"/remark", "maxLength", {limit: 100});
errors++;
}
if(func1(data4) < 0){
vErrors = found(vErrors, instancePath+"/remark", "minLength", {limit: 0});
errors++;
}
if(!pattern7.test(data4)){
vErrors = found(vErrors, instancePath+"/remark", "pattern", {pattern: "^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/remark", "type", {type: "string"});
errors++;
}
}
if(data.version !== undefined){
let data5 = data.version;
if(typeof data5 === "string"){
if(func1(data5) > 32){
vErrors = found(vErrors, instancePath+"/version", "maxLength", {limit: 32});
errors++;
}
if(!pattern8.test(data5)){
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
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"id":true,"category":true,"method":true,"path":true,"remark":true,"version":true},"dynamicProps":false,"dynamicItems":false};

