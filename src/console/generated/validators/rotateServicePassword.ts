// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import part0 from 'ajv-formats/dist/formats.js'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const formats0 = part0.fullFormats["date-time"];
const func2 = (part1.default ?? part1);

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="rotateServicePassword" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.keepOld !== undefined){
if(typeof data.keepOld !== "boolean"){
vErrors = found(vErrors, instancePath+"/keepOld", "type", {type: "boolean"});
errors++;
}
}
if(data.oldUntil !== undefined){
let data1 = data.oldUntil;
if(typeof data1 === "string"){
if(func2(data1) > 40){
vErrors = found(vErrors, instancePath+"/oldUntil", "maxLength", {limit: 40});
errors++;
}
if(!(formats0.validate(data1))){
vErrors = found(vErrors, instancePath+"/oldUntil", "format", {format: "date-time"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/oldUntil", "type", {type: "string"});
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

