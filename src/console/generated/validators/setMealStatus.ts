// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"setMealStatus","type":"object","required":["status"],"properties":{"status":{"type":"string","enum":["pending","current","done"]}}};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="setMealStatus" */;
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
if(data.status === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "status"});
errors++;
}
if(data.status !== undefined){
let data0 = data.status;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/status", "type", {type: "string"});
errors++;
}
if(!(((data0 === "pending") || (data0 === "current")) || (data0 === "done"))){
vErrors = found(vErrors, instancePath+"/status", "enum", {allowedValues: schema31.properties.status.enum});
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
validate20.evaluated = {"props":{"status":true},"dynamicProps":false,"dynamicItems":false};

