// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const func2 = (part1.default ?? part1);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern2 = new RegExp("^([A-Za-z][A-Za-z0-9-]*)?$", "u");
const pattern4 = new RegExp("^[0-9a-f]{32}$", "u");
const formats0 = formats.int64;

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="updateAttribute" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.labels !== undefined){
let data0 = data.labels;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.en === undefined){
vErrors = found(vErrors, instancePath+"/labels", "required", {missingProperty: "en"});
errors++;
}
if(data0["zh-CN"] === undefined){
vErrors = found(vErrors, instancePath+"/labels", "required", {missingProperty: "zh-CN"});
errors++;
}
if(data0.en !== undefined){
let data1 = data0.en;
if(typeof data1 === "string"){
if(func2(data1) > 60){
vErrors = found(vErrors, instancePath+"/labels/en", "maxLength", {limit: 60});
errors++;
}
if(func2(data1) < 1){
vErrors = found(vErrors, instancePath+"/labels/en", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data1)){
vErrors = found(vErrors, instancePath+"/labels/en", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/labels/en", "type", {type: "string"});
errors++;
}
}
if(data0["zh-CN"] !== undefined){
let data2 = data0["zh-CN"];
if(typeof data2 === "string"){
if(func2(data2) > 60){
vErrors = found(vErrors, instancePath+"/labels/zh-CN", "maxLength", {limit: 60});
errors++;
}
if(func2(data2) < 1){
vErrors = found(vErrors, instancePath+"/labels/zh-CN", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data2)){
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
if(data.minimum !== undefined){
let data3 = data.minimum;
if((!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))) && (data3 !== null)){
vErrors = found(vErrors, instancePath+"/minimum", "type", {type: ["integer","null"]});
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 2147483647 || isNaN(data3)){
vErrors = found(vErrors, instancePath+"/minimum", "maximum", {comparison: "<=", limit: 2147483647});
errors++;
}
if(data3 < -2147483648 || isNaN(data3)){
vErrors = found(vErrors, instancePath+"/minimum", "minimum", {comparison: ">=", limit: -2147483648});
errors++;
}
}
}
if(data.maximum !== undefined){
let data4 = data.maximum;
if((!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))) && (data4 !== null)){
vErrors = found(vErrors, instancePath+"/maximum", "type", {type: ["integer","null"]});
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 2147483647 || isNaN(data4)){
vErrors = found(vErrors, instancePath+"/maximum", "maximum", {comparison: "<=", limit: 2147483647});
errors++;
}
if(data4 < -2147483648 || isNaN(data4)){
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
let data6 = data.own;
if(typeof data6 !== "string"){
vErrors = found(vErrors, instancePath+"/own", "type", {type: "string"});
errors++;
}
if(!(((data6 === "hidden") || (data6 === "see")) || (data6 === "edit"))){
vErrors = found(vErrors, instancePath+"/own", "enum", {allowedValues: ["hidden","see","edit"]});
errors++;
}
}
if(data.seeRoles !== undefined){
let data7 = data.seeRoles;
if(Array.isArray(data7)){
if(data7.length > 50){
vErrors = found(vErrors, instancePath+"/seeRoles", "maxItems", {limit: 50});
errors++;
}
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
let data8 = data7[i0];
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
vErrors = found(vErrors, instancePath+"/seeRoles/" + i0, "type", {type: "integer"});
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 9007199254740991 || isNaN(data8)){
vErrors = found(vErrors, instancePath+"/seeRoles/" + i0, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data8 < 1 || isNaN(data8)){
vErrors = found(vErrors, instancePath+"/seeRoles/" + i0, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data8))){
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
let data9 = data.editRoles;
if(Array.isArray(data9)){
if(data9.length > 50){
vErrors = found(vErrors, instancePath+"/editRoles", "maxItems", {limit: 50});
errors++;
}
const len1 = data9.length;
for(let i1=0; i1<len1; i1++){
let data10 = data9[i1];
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
vErrors = found(vErrors, instancePath+"/editRoles/" + i1, "type", {type: "integer"});
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 9007199254740991 || isNaN(data10)){
vErrors = found(vErrors, instancePath+"/editRoles/" + i1, "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data10 < 1 || isNaN(data10)){
vErrors = found(vErrors, instancePath+"/editRoles/" + i1, "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data10))){
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
let data11 = data.ldapAttribute;
if(typeof data11 === "string"){
if(func2(data11) > 100){
vErrors = found(vErrors, instancePath+"/ldapAttribute", "maxLength", {limit: 100});
errors++;
}
if(!pattern2.test(data11)){
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
let data12 = data.objectClass;
if(typeof data12 === "string"){
if(func2(data12) > 100){
vErrors = found(vErrors, instancePath+"/objectClass", "maxLength", {limit: 100});
errors++;
}
if(!pattern2.test(data12)){
vErrors = found(vErrors, instancePath+"/objectClass", "pattern", {pattern: "^([A-Za-z][A-Za-z0-9-]*)?$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/objectClass", "type", {type: "string"});
errors++;
}
}
if(data.version !== undefined){
let data13 = data.version;
if(typeof data13 === "string"){
if(func2(data13) > 32){
vErrors = found(vErrors, instancePath+"/version", "maxLength", {limit: 32});
errors++;
}
if(!pattern4.test(data13)){
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

