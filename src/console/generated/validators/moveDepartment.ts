// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;
const func2 = (part1.default ?? part1);
const pattern0 = new RegExp("^[0-9a-f]{32}$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="moveDepartment" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.parent === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "parent"});
errors++;
}
if(data.parent !== undefined){
let data0 = data.parent;
if((!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))) && (data0 !== null)){
vErrors = found(vErrors, instancePath+"/parent", "type", {type: ["integer","null"]});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/parent", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data0 < 1 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/parent", "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data0))){
vErrors = found(vErrors, instancePath+"/parent", "format", {format: "int64"});
errors++;
}
}
}
if(data.dryRun !== undefined){
if(typeof data.dryRun !== "boolean"){
vErrors = found(vErrors, instancePath+"/dryRun", "type", {type: "boolean"});
errors++;
}
}
if(data.version !== undefined){
let data2 = data.version;
if(typeof data2 === "string"){
if(func2(data2) > 32){
vErrors = found(vErrors, instancePath+"/version", "maxLength", {limit: 32});
errors++;
}
if(!pattern0.test(data2)){
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

