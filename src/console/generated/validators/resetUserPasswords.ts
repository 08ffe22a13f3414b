// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="resetUserPasswords" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.way === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "way"});
errors++;
}
if(data.ids === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "ids"});
errors++;
}
if(data.way !== undefined){
let data0 = data.way;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/way", "type", {type: "string"});
errors++;
}
if(!((data0 === "link") || (data0 === "shown"))){
vErrors = found(vErrors, instancePath+"/way", "enum", {allowedValues: ["link","shown"]});
errors++;
}
}
if(data.ids !== undefined){
let data1 = data.ids;
if(Array.isArray(data1)){
if(data1.length > 100){
vErrors = found(vErrors, instancePath+"/ids", "maxItems", {limit: 100});
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

