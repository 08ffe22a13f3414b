// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv-formats/dist/formats.js'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"setDepartmentPosix","type":"object","required":["enabled"],"properties":{"enabled":{"type":"boolean"},"number":{"type":"integer","format":"int64","minimum":500,"maximum":4294967293}}};
const formats0 = part0.fullFormats.int64;

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="setDepartmentPosix" */;
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
if(data.enabled === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "enabled"});
errors++;
}
if(data.enabled !== undefined){
if(typeof data.enabled !== "boolean"){
vErrors = found(vErrors, instancePath+"/enabled", "type", {type: "boolean"});
errors++;
}
}
if(data.number !== undefined){
let data1 = data.number;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
vErrors = found(vErrors, instancePath+"/number", "type", {type: "integer"});
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 4294967293 || isNaN(data1)){
vErrors = found(vErrors, instancePath+"/number", "maximum", {comparison: "<=", limit: 4294967293});
errors++;
}
if(data1 < 500 || isNaN(data1)){
vErrors = found(vErrors, instancePath+"/number", "minimum", {comparison: ">=", limit: 500});
errors++;
}
if(!(formats0.validate(data1))){
vErrors = found(vErrors, instancePath+"/number", "format", {format: "int64"});
errors++;
}
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
validate20.evaluated = {"props":{"enabled":true,"number":true},"dynamicProps":false,"dynamicItems":false};

