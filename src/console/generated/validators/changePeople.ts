// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="changePeople" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.action === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "action"});
errors++;
}
if(data.ids === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "ids"});
errors++;
}
if(data.action !== undefined){
let data0 = data.action;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/action", "type", {type: "string"});
errors++;
}
if(!(((((((((data0 === "enable") || (data0 === "disable")) || (data0 === "move")) || (data0 === "addRoles")) || (data0 === "removeRoles")) || (data0 === "addGroups")) || (data0 === "removeGroups")) || (data0 === "sync")) || (data0 === "delete"))){
vErrors = found(vErrors, instancePath+"/action", "enum", {allowedValues: ["enable","disable","move","addRoles","removeRoles","addGroups","removeGroups","sync","delete"]});
errors++;
}
}
if(data.ids !== undefined){
let data1 = data.ids;
if(Array.isArray(data1)){
if(data1.length > 1000){
vErrors = found(vErrors, instancePath+"/ids", "maxItems", {limit: 1000});
errors++;
}
if(data1.length < 1){
vErrors = found(vErrors, instancePath+"/ids", "minItems", {limit: 1});
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
vErrors = found(vErrors, instancePath+"/ids/" + i0, "type", {type: "integer"});
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 9007199254740991 || isNaN(data2)){
vErrors = found(vErrors, instancePath+"/ids/" + i0, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data2 < 1 || isNaN(data2)){
vErrors = found(vErrors, instancePath+"/ids/" + i0, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data2))){
vErrors = found(vErrors, instancePath+"/ids/" + i0, "format", {format: "int64"});
errors++;
}
}
}
}
else {
vErrors = found(vErrors, instancePath+"/ids", "type", {type: "array"});
errors++;
}
}
if(data.roleIds !== undefined){
let data3 = data.roleIds;
if(Array.isArray(data3)){
if(data3.length > 100){
vErrors = found(vErrors, instancePath+"/roleIds", "maxItems", {limit: 100});
errors++;
}
if(data3.length < 1){
vErrors = found(vErrors, instancePath+"/roleIds", "minItems", {limit: 1});
errors++;
}
const len1 = data3.length;
for(let i1=0; i1<len1; i1++){
let data4 = data3[i1];
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
vErrors = found(vErrors, instancePath+"/roleIds/" + i1, "type", {type: "integer"});
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 9007199254740991 || isNaN(data4)){
vErrors = found(vErrors, instancePath+"/roleIds/" + i1, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data4 < 1 || isNaN(data4)){
vErrors = found(vErrors, instancePath+"/roleIds/" + i1, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data4))){
vErrors = found(vErrors, instancePath+"/roleIds/" + i1, "format", {format: "int64"});
errors++;
}
}
}
}
else {
vErrors = found(vErrors, instancePath+"/roleIds", "type", {type: "array"});
errors++;
}
}
if(data.groupIds !== undefined){
let data5 = data.groupIds;
if(Array.isArray(data5)){
if(data5.length > 100){
vErrors = found(vErrors, instancePath+"/groupIds", "maxItems", {limit: 100});
errors++;
}
if(data5.length < 1){
vErrors = found(vErrors, instancePath+"/groupIds", "minItems", {limit: 1});
errors++;
}
const len2 = data5.length;
for(let i2=0; i2<len2; i2++){
let data6 = data5[i2];
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
vErrors = found(vErrors, instancePath+"/groupIds/" + i2, "type", {type: "integer"});
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
vErrors = found(vErrors, instancePath+"/groupIds/" + i2, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data6 < 1 || isNaN(data6)){
vErrors = found(vErrors, instancePath+"/groupIds/" + i2, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data6))){
vErrors = found(vErrors, instancePath+"/groupIds/" + i2, "format", {format: "int64"});
errors++;
}
}
}
}
else {
vErrors = found(vErrors, instancePath+"/groupIds", "type", {type: "array"});
errors++;
}
}
if(data.from !== undefined){
let data7 = data.from;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
vErrors = found(vErrors, instancePath+"/from", "type", {type: "integer"});
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 9007199254740991 || isNaN(data7)){
vErrors = found(vErrors, instancePath+"/from", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data7 < 1 || isNaN(data7)){
vErrors = found(vErrors, instancePath+"/from", "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data7))){
vErrors = found(vErrors, instancePath+"/from", "format", {format: "int64"});
errors++;
}
}
}
if(data.to !== undefined){
let data8 = data.to;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
vErrors = found(vErrors, instancePath+"/to", "type", {type: "integer"});
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 9007199254740991 || isNaN(data8)){
vErrors = found(vErrors, instancePath+"/to", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data8 < 1 || isNaN(data8)){
vErrors = found(vErrors, instancePath+"/to", "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data8))){
vErrors = found(vErrors, instancePath+"/to", "format", {format: "int64"});
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
}
else {
vErrors = found(vErrors, instancePath, "type", {type: "object"});
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

