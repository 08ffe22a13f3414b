// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"stepUp","type":"object","required":["method","code"],"properties":{"method":{"type":"string","enum":["totp","recovery","mail"]},"code":{"type":"string","maxLength":64,"pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"}}};
const func1 = (part0.default ?? part0);
const pattern4 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="stepUp" */;
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
if(data.method === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "method"});
errors++;
}
if(data.code === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "code"});
errors++;
}
if(data.method !== undefined){
let data0 = data.method;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/method", "type", {type: "string"});
errors++;
}
if(!(((data0 === "totp") || (data0 === "recovery")) || (data0 === "mail"))){
vErrors = found(vErrors, instancePath+"/method", "enum", {allowedValues: schema31.properties.method.enum});
errors++;
}
}
if(data.code !== undefined){
let data1 = data.code;
if(typeof data1 === "string"){
if(func1(data1) > 64){
vErrors = found(vErrors, instancePath+"/code", "maxLength", {limit: 64});
errors++;
}
if(!pattern4.test(data1)){
vErrors = found(vErrors, instancePath+"/code", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/code", "type", {type: "string"});
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
validate20.evaluated = {"props":{"method":true,"code":true},"dynamicProps":false,"dynamicItems":false};

