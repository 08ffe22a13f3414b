// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"addPersonSshKey","type":"object","required":["name","key"],"properties":{"name":{"type":"string","minLength":1,"maxLength":60,"pattern":"^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"},"key":{"type":"string","minLength":1,"maxLength":8000}}};
const func1 = (part0.default ?? part0);
const pattern4 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="addPersonSshKey" */;
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
if(func1(data0) > 60){
vErrors = found(vErrors, instancePath+"/name", "maxLength", {limit: 60});
errors++;
}
if(func1(data0) < 1){
vErrors = found(vErrors, instancePath+"/name", "minLength", {limit: 1});
errors++;
}
if(!pattern4.test(data0)){
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
if(func1(data1) > 8000){
vErrors = found(vErrors, instancePath+"/key", "maxLength", {limit: 8000});
errors++;
}
if(func1(data1) < 1){
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
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"name":true,"key":true},"dynamicProps":false,"dynamicItems":false};

