// @ts-nocheck
// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import { found } from '../../app/found.ts'
import { formats } from '../../app/formats.ts'
import part1 from 'ajv/dist/runtime/ucs2length.js'

export const validate = validate10;
export default validate10;
const formats0 = formats.int64;
const func2 = (part1.default ?? part1);
const pattern0 = new RegExp("^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern3 = new RegExp("^[^\\u0000-\\u001F\\u007F-\\u009F]*$", "u");
const pattern7 = new RegExp("^[0-9a-f]{32}$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="updateMenu" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "id"});
errors++;
}
if(data.name === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "name"});
errors++;
}
if(data.title === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "title"});
errors++;
}
if(data.path === undefined){
vErrors = found(vErrors, instancePath, "required", {missingProperty: "path"});
errors++;
}
if(data.id !== undefined){
let data0 = data.id;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = found(vErrors, instancePath+"/id", "type", {type: "integer"});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/id", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data0 < 1 || isNaN(data0)){
vErrors = found(vErrors, instancePath+"/id", "minimum", {comparison: ">=", limit: 1});
errors++;
}
if(!(formats0.validate(data0))){
vErrors = found(vErrors, instancePath+"/id", "format", {format: "int64"});
errors++;
}
}
}
if(data.name !== undefined){
let data1 = data.name;
if(typeof data1 === "string"){
if(func2(data1) > 50){
vErrors = found(vErrors, instancePath+"/name", "maxLength", {limit: 50});
errors++;
}
if(func2(data1) < 1){
vErrors = found(vErrors, instancePath+"/name", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data1)){
vErrors = found(vErrors, instancePath+"/name", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/name", "type", {type: "string"});
errors++;
}
}
if(data.title !== undefined){
let data2 = data.title;
if(typeof data2 === "string"){
if(func2(data2) > 50){
vErrors = found(vErrors, instancePath+"/title", "maxLength", {limit: 50});
errors++;
}
if(func2(data2) < 1){
vErrors = found(vErrors, instancePath+"/title", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data2)){
vErrors = found(vErrors, instancePath+"/title", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/title", "type", {type: "string"});
errors++;
}
}
if(data.path !== undefined){
let data3 = data.path;
if(typeof data3 === "string"){
if(func2(data3) > 100){
vErrors = found(vErrors, instancePath+"/path", "maxLength", {limit: 100});
errors++;
}
if(func2(data3) < 1){
vErrors = found(vErrors, instancePath+"/path", "minLength", {limit: 1});
errors++;
}
if(!pattern0.test(data3)){
vErrors = found(vErrors, instancePath+"/path", "pattern", {pattern: "^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/path", "type", {type: "string"});
errors++;
}
}
if(data.component !== undefined){
let data4 = data.component;
if(typeof data4 === "string"){
if(func2(data4) > 100){
vErrors = found(vErrors, instancePath+"/component", "maxLength", {limit: 100});
errors++;
}
if(func2(data4) < 0){
vErrors = found(vErrors, instancePath+"/component", "minLength", {limit: 0});
errors++;
}
if(!pattern3.test(data4)){
vErrors = found(vErrors, instancePath+"/component", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/component", "type", {type: "string"});
errors++;
}
}
if(data.parentId !== undefined){
let data5 = data.parentId;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
vErrors = found(vErrors, instancePath+"/parentId", "type", {type: "integer"});
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 9007199254740991 || isNaN(data5)){
vErrors = found(vErrors, instancePath+"/parentId", "maximum", {comparison: "<=", limit: 9007199254740991});
errors++;
}
if(data5 < 0 || isNaN(data5)){
vErrors = found(vErrors, instancePath+"/parentId", "minimum", {comparison: ">=", limit: 0});
errors++;
}
if(!(formats0.validate(data5))){
vErrors = found(vErrors, instancePath+"/parentId", "format", {format: "int64"});
errors++;
}
}
}
if(data.icon !== undefined){
let data6 = data.icon;
if(typeof data6 === "string"){
if(func2(data6) > 50){
vErrors = found(vErrors, instancePath+"/icon", "maxLength", {limit: 50});
errors++;
}
if(func2(data6) < 0){
vErrors = found(vErrors, instancePath+"/icon", "minLength", {limit: 0});
errors++;
}
if(!pattern3.test(data6)){
vErrors = found(vErrors, instancePath+"/icon", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/icon", "type", {type: "string"});
errors++;
}
}
if(data.redirect !== undefined){
let data7 = data.redirect;
if(typeof data7 === "string"){
if(func2(data7) > 100){
vErrors = found(vErrors, instancePath+"/redirect", "maxLength", {limit: 100});
errors++;
}
if(func2(data7) < 0){
vErrors = found(vErrors, instancePath+"/redirect", "minLength", {limit: 0});
errors++;
}
if(!pattern3.test(data7)){
vErrors = found(vErrors, instancePath+"/redirect", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/redirect", "type", {type: "string"});
errors++;
}
}
if(data.activeMenu !== undefined){
let data8 = data.activeMenu;
if(typeof data8 === "string"){
if(func2(data8) > 100){
vErrors = found(vErrors, instancePath+"/activeMenu", "maxLength", {limit: 100});
errors++;
}
if(func2(data8) < 0){
vErrors = found(vErrors, instancePath+"/activeMenu", "minLength", {limit: 0});
errors++;
}
if(!pattern3.test(data8)){
vErrors = found(vErrors, instancePath+"/activeMenu", "pattern", {pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"});
errors++;
}
}
else {
vErrors = found(vErrors, instancePath+"/activeMenu", "type", {type: "string"});
errors++;
}
}
if(data.sort !== undefined){
let data9 = data.sort;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
vErrors = found(vErrors, instancePath+"/sort", "type", {type: "integer"});
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 999 || isNaN(data9)){
vErrors = found(vErrors, instancePath+"/sort", "maximum", {comparison: "<=", limit: 999});
errors++;
}
if(data9 < 1 || isNaN(data9)){
vErrors = found(vErrors, instancePath+"/sort", "minimum", {comparison: ">=", limit: 1});
errors++;
}
}
}
if(data.status !== undefined){
let data10 = data.status;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
vErrors = found(vErrors, instancePath+"/status", "type", {type: "integer"});
errors++;
}
if(!((data10 === 1) || (data10 === 2))){
vErrors = found(vErrors, instancePath+"/status", "enum", {allowedValues: [1,2]});
errors++;
}
}
if(data.hidden !== undefined){
let data11 = data.hidden;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
vErrors = found(vErrors, instancePath+"/hidden", "type", {type: "integer"});
errors++;
}
if(!((data11 === 1) || (data11 === 2))){
vErrors = found(vErrors, instancePath+"/hidden", "enum", {allowedValues: [1,2]});
errors++;
}
}
if(data.alwaysShow !== undefined){
let data12 = data.alwaysShow;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
vErrors = found(vErrors, instancePath+"/alwaysShow", "type", {type: "integer"});
errors++;
}
if(!((data12 === 1) || (data12 === 2))){
vErrors = found(vErrors, instancePath+"/alwaysShow", "enum", {allowedValues: [1,2]});
errors++;
}
}
if(data.noCache !== undefined){
let data13 = data.noCache;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
vErrors = found(vErrors, instancePath+"/noCache", "type", {type: "integer"});
errors++;
}
if(!((data13 === 1) || (data13 === 2))){
vErrors = found(vErrors, instancePath+"/noCache", "enum", {allowedValues: [1,2]});
errors++;
}
}
if(data.breadcrumb !== undefined){
let data14 = data.breadcrumb;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
vErrors = found(vErrors, instancePath+"/breadcrumb", "type", {type: "integer"});
errors++;
}
if(!((data14 === 1) || (data14 === 2))){
vErrors = found(vErrors, instancePath+"/breadcrumb", "enum", {allowedValues: [1,2]});
errors++;
}
}
if(data.version !== undefined){
let data15 = data.version;
if(typeof data15 === "string"){
if(func2(data15) > 32){
vErrors = found(vErrors, instancePath+"/version", "maxLength", {limit: 32});
errors++;
}
if(!pattern7.test(data15)){
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

