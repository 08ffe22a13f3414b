// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"confirmRun","type":"object","required":["planHash"],"properties":{"planHash":{"type":"string","minLength":64,"maxLength":64,"pattern":"^[^\\u0000-\\u001F\\u007F-\\u009F]*$"}}};
const func1 = (part0.default ?? part0);
const pattern4 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="confirmRun" */;
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
if(data.planHash === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "planHash"});
errors++;
}
if(data.planHash !== undefined){
let data0 = data.planHash;
if(typeof data0 === "string"){
if(func1(data0) > 64){
vErrors = found(vErrors, instancePath+"/planHash", "maxLength", {limit: 64});
errors++;
}
if(func1(data0) < 64){
vErrors = found(vErrors, instancePath+"/planHash", "minLength", {limit: 64});
errors++;
}
if(!pattern4.test(data0)){
vErrors = found(vErrors, instancePath+"/planHash", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/planHash", "type", {type: "string"});
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
validate20.evaluated = {"props":{"planHash":true},"dynamicProps":false,"dynamicItems":false};

