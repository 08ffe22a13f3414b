// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"createBackup","type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["auto","manual"]}}};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="createBackup" */;
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
if(data.type === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "type"});
errors++;
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/type", "type", {type: "string"});
errors++;
}
if(!((data0 === "auto") || (data0 === "manual"))){
vErrors = found(vErrors, instancePath+"/type", "enum", {allowedValues: schema31.properties.type.enum});
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
validate20.evaluated = {"props":{"type":true},"dynamicProps":false,"dynamicItems":false};

