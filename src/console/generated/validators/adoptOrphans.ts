// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"adoptOrphans","type":"object","properties":{"dns":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"string","minLength":1,"maxLength":4000,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"}},"filter":{"type":"object","properties":{"kind":{"type":"string","enum":["user","group"]},"text":{"type":"string","maxLength":500,"pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"}}},"hash":{"type":"string","pattern":"^[0-9a-f]{64}$","minLength":64,"maxLength":64}}};
const func1 = (part0.default ?? part0);
const pattern4 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern5 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern6 = new RegExp("^[0-9a-f]{64}$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="adoptOrphans" */;
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
if(func1(data1) > 4000){
vErrors = found(vErrors, instancePath+"/dns/" + i0, "maxLength", {limit: 4000});
errors++;
}
if(func1(data1) < 1){
vErrors = found(vErrors, instancePath+"/dns/" + i0, "minLength", {limit: 1});
errors++;
}
if(!pattern4.test(data1)){
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
vErrors = found(vErrors, instancePath+"/filter/kind", "enum", {allowedValues: schema31.properties.filter.properties.kind.enum});
errors++;
}
}
if(data2.text !== undefined){
let data4 = data2.text;
if(typeof data4 === "string"){
if(func1(data4) > 500){
vErrors = found(vErrors, instancePath+"/filter/text", "maxLength", {limit: 500});
errors++;
}
if(!pattern5.test(data4)){
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
if(func1(data5) > 64){
vErrors = found(vErrors, instancePath+"/hash", "maxLength", {limit: 64});
errors++;
}
if(func1(data5) < 64){
vErrors = found(vErrors, instancePath+"/hash", "minLength", {limit: 64});
errors++;
}
if(!pattern6.test(data5)){
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
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"dns":true,"filter":true,"hash":true},"dynamicProps":false,"dynamicItems":false};

