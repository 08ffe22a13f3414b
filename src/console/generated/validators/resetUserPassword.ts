// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"resetUserPassword","type":"object","required":["way"],"properties":{"way":{"type":"string","enum":["link","shown"]}}};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="resetUserPassword" */;
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
if(data.way === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "way"});
errors++;
}
if(data.way !== undefined){
let data0 = data.way;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/way", "type", {type: "string"});
errors++;
}
if(!((data0 === "link") || (data0 === "shown"))){
vErrors = found(vErrors, instancePath+"/way", "enum", {allowedValues: schema31.properties.way.enum});
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
validate20.evaluated = {"props":{"way":true},"dynamicProps":false,"dynamicItems":false};

