// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part1.default ?? part1);
const pattern0 = new RegExp("^[a-z][A-Za-z0-9]{0,39}$", "u");
const pattern1 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern3 = new RegExp("^([A-Za-z][A-Za-z0-9-]*)?$", "u");
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="declareAttribute" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "kind"});
errors++;
}
if(data.name === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "name"});
errors++;
}
if(data.labels === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "labels"});
errors++;
}
if(data.type === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "type"});
errors++;
}
if(data.kind !== undefined){
let data0 = data.kind;
if(typeof data0 !== "string"){
vErrors = found(vErrors, instancePath+"/kind", "type", {type: "string"});
errors++;
}
if(!((data0 === "user") || (data0 === "group"))){
vErrors = found(vErrors, instancePath+"/kind", "enum", {allowedValues: ["user","group"]});
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
if(typeof data1 === "string"){
if(func2(data1) > 40){
vErrors = found(vErrors, instancePath+"/name", "maxLength", {limit: 40});
errors++;
}
if(!pattern0.test(data1)){
vErrors = found(vErrors, instancePath+"/name", "pattern", {pattern: "^[a-z][A-Za-z0-9]{0,39}$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/name", "type", {type: "string"});
errors++;
}
}
if(data.labels !== undefined){
let data2 = data.labels;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.en === undefined){
vErrors = found(vErrors, instancePath+"/labels", "required", {missingProperty: "en"});
errors++;
}
if(data2["zh-CN"] === undefined){
vErrors = found(vErrors, instancePath+"/labels", "required", {missingProperty: "zh-CN"});
errors++;
}
if(data2.en !== undefined){
let data3 = data2.en;
if(typeof data3 === "string"){
if(func2(data3) > 60){
vErrors = found(vErrors, instancePath+"/labels/en", "maxLength", {limit: 60});
errors++;
}
if(func2(data3) < 1){
vErrors = found(vErrors, instancePath+"/labels/en", "minLength", {limit: 1});
errors++;
}
if(!pattern1.test(data3)){
vErrors = found(vErrors, instancePath+"/labels/en", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/labels/en", "type", {type: "string"});
errors++;
}
}
if(data2["zh-CN"] !== undefined){
let data4 = data2["zh-CN"];
if(typeof data4 === "string"){
if(func2(data4) > 60){
vErrors = found(vErrors, instancePath+"/labels/zh-CN", "maxLength", {limit: 60});
errors++;
}
if(func2(data4) < 1){
vErrors = found(vErrors, instancePath+"/labels/zh-CN", "minLength", {limit: 1});
errors++;
}
if(!pattern1.test(data4)){
vErrors = found(vErrors, instancePath+"/labels/zh-CN", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/labels/zh-CN", "type", {type: "string"});
errors++;
}
}
}
else {
vErrors = found(vErrors, instancePath+"/labels", "type", {type: "object"});
errors++;
}
}
if(data.type !== undefined){
let data5 = data.type;
if(typeof data5 !== "string"){
vErrors = found(vErrors, instancePath+"/type", "type", {type: "string"});
errors++;
}
if(!((((data5 === "text") || (data5 === "integer")) || (data5 === "boolean")) || (data5 === "date"))){
vErrors = found(vErrors, instancePath+"/type", "enum", {allowedValues: ["text","integer","boolean","date"]});
errors++;
}
}
if(data.multiple !== undefined){
if(typeof data.multiple !== "boolean"){
vErrors = found(vErrors, instancePath+"/multiple", "type", {type: "boolean"});
errors++;
}
}
if(data.minimum !== undefined){
let data7 = data.minimum;
if((!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))) && (data7 !== null)){
vErrors = found(vErrors, instancePath+"/minimum", "type", {type: ["integer","null"]});
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 2147483647 || isNaN(data7)){
vErrors = found(vErrors, instancePath+"/minimum", "maximum", {comparison: "<=", limit: 2147483647});
errors++;
}
if(data7 < -2147483648 || isNaN(data7)){
vErrors = found(vErrors, instancePath+"/minimum", "minimum", {comparison: ">=", limit: -2147483648});
errors++;
}
}
}
if(data.maximum !== undefined){
let data8 = data.maximum;
if((!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))) && (data8 !== null)){
vErrors = found(vErrors, instancePath+"/maximum", "type", {type: ["integer","null"]});
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 2147483647 || isNaN(data8)){
vErrors = found(vErrors, instancePath+"/maximum", "maximum", {comparison: "<=", limit: 2147483647});
errors++;
}
if(data8 < -2147483648 || isNaN(data8)){
vErrors = found(vErrors, instancePath+"/maximum", "minimum", {comparison: ">=", limit: -2147483648});
errors++;
}
}
}
if(data.searched !== undefined){
if(typeof data.searched !== "boolean"){
vErrors = found(vErrors, instancePath+"/searched", "type", {type: "boolean"});
errors++;
}
}
if(data.own !== undefined){
let data10 = data.own;
if(typeof data10 !== "string"){
vErrors = found(vErrors, instancePath+"/own", "type", {type: "string"});
errors++;
}
if(!(((data10 === "hidden") || (data10 === "see")) || (data10 === "edit"))){
vErrors = found(vErrors, instancePath+"/own", "enum", {allowedValues: ["hidden","see","edit"]});
errors++;
}
}
if(data.seeRoles !== undefined){
let data11 = data.seeRoles;
if(Array.isArray(data11)){
if(data11.length > 50){
vErrors = found(vErrors, instancePath+"/seeRoles", "maxItems", {limit: 50});
errors++;
}
const len0 = data11.length;
for(let i0=0; i0<len0; i0++){
let data12 = data11[i0];
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
vErrors = found(vErrors, instancePath+"/seeRoles/" + i0, "type", {type: "integer"});
errors++;
}
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 9007199254740991 || isNaN(data12)){
vErrors = found(vErrors, instancePath+"/seeRoles/" + i0, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data12 < 1 || isNaN(data12)){
vErrors = found(vErrors, instancePath+"/seeRoles/" + i0, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data12))){
vErrors = found(vErrors, instancePath+"/seeRoles/" + i0, "format", {format: "int64"});
errors++;
}
}
}
}
else {
vErrors = found(vErrors, instancePath+"/seeRoles", "type", {type: "array"});
errors++;
}
}
if(data.editRoles !== undefined){
let data13 = data.editRoles;
if(Array.isArray(data13)){
if(data13.length > 50){
vErrors = found(vErrors, instancePath+"/editRoles", "maxItems", {limit: 50});
errors++;
}
const len1 = data13.length;
for(let i1=0; i1<len1; i1++){
let data14 = data13[i1];
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
vErrors = found(vErrors, instancePath+"/editRoles/" + i1, "type", {type: "integer"});
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 9007199254740991 || isNaN(data14)){
vErrors = found(vErrors, instancePath+"/editRoles/" + i1, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data14 < 1 || isNaN(data14)){
vErrors = found(vErrors, instancePath+"/editRoles/" + i1, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data14))){
vErrors = found(vErrors, instancePath+"/editRoles/" + i1, "format", {format: "int64"});
errors++;
}
}
}
}
else {
vErrors = found(vErrors, instancePath+"/editRoles", "type", {type: "array"});
errors++;
}
}
if(data.ldapAttribute !== undefined){
let data15 = data.ldapAttribute;
if(typeof data15 === "string"){
if(func2(data15) > 100){
vErrors = found(vErrors, instancePath+"/ldapAttribute", "maxLength", {limit: 100});
errors++;
}
if(!pattern3.test(data15)){
vErrors = found(vErrors, instancePath+"/ldapAttribute", "pattern", {pattern: "^([A-Za-z][A-Za-z0-9-]*)?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/ldapAttribute", "type", {type: "string"});
errors++;
}
}
if(data.objectClass !== undefined){
let data16 = data.objectClass;
if(typeof data16 === "string"){
if(func2(data16) > 100){
vErrors = found(vErrors, instancePath+"/objectClass", "maxLength", {limit: 100});
errors++;
}
if(!pattern3.test(data16)){
vErrors = found(vErrors, instancePath+"/objectClass", "pattern", {pattern: "^([A-Za-z][A-Za-z0-9-]*)?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/objectClass", "type", {type: "string"});
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

