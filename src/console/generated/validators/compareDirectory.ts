// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'

export const validate = validate20;
export default validate20;
const schema31 = {"$id":"compareDirectory","type":"object","required":["kind"],"properties":{"kind":{"type":"string","enum":["users","groups"]}}};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="compareDirectory" */;
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
if(data.kind === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "kind"});
errors++;
}
if(data.kind !== undefined){
let data0 = data.kind;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/kind", "type", {type: "string"});
errors++;
}
if(!((data0 === "users") || (data0 === "groups"))){
vErrors = found(vErrors, instancePath+"/kind", "enum", {allowedValues: schema31.properties.kind.enum});
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
validate20.evaluated = {"props":{"kind":true},"dynamicProps":false,"dynamicItems":false};

