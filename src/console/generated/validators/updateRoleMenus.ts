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
/*# sourceURL="updateRoleMenus" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.roleId === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "roleId"});
errors++;
}
if(data.menuIds === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "menuIds"});
errors++;
}
if(data.roleId !== undefined){
let data0 = data.roleId;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = found(vErrors, instancePath+"/roleId", "type", {type: "integer"});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/roleId", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data0 < 1 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/roleId", "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data0))){
vErrors = found(vErrors, instancePath+"/roleId", "format", {format: "int64"});
errors++;
}
}
}
if(data.menuIds !== undefined){
let data1 = data.menuIds;
if(Array.isArray(data1)){
if(data1.length > 10000){
vErrors = found(vErrors, instancePath+"/menuIds", "maxItems", {limit: 10000});
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
vErrors = found(vErrors, instancePath+"/menuIds/" + i0, "type", {type: "integer"});
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 9007199254740991 || isNaN(data2)){
vErrors = found(vErrors, instancePath+"/menuIds/" + i0, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data2 < 1 || isNaN(data2)){
vErrors = found(vErrors, instancePath+"/menuIds/" + i0, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data2))){
vErrors = found(vErrors, instancePath+"/menuIds/" + i0, "format", {format: "int64"});
errors++;
}
}
}
}
else {
vErrors = found(vErrors, instancePath+"/menuIds", "type", {type: "array"});
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
if(!pattern0.test(data3)){
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

