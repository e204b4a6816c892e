// @ts-nocheck
// generated from trace.schema.json by ors generate; never edit

import * as helper0 from 'ajv/dist/runtime/ucs2length.js';
import type * as types from './trace.ts';

/** Why a value was refused. */
export interface Invalid {
  /** JSON Pointer into the value. */
  instancePath: string;
  message?: string;
  keyword: string;
  params: Record<string, unknown>;
}

/** Tells whether a value is a `T`; `errors` says why the last one was not. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: null | Invalid[];
}

function helper(module) {
  return module.default?.default ?? module.default ?? module;
}

const definition1 = validate53;
const schema20 = {"title":"JSONObject","description":"Any JSON object.","type":"object","additionalProperties":{"$ref":"#/$defs/JSONValue"}};
const schema21 = {"title":"JSONValue","description":"Any JSON value.","x-typescript":"JSONValue","anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"},{"$ref":"#/$defs/JSONObject"},{"type":"array","items":{"$ref":"#/$defs/JSONValue"}}]};
const wrapper0 = {validate: validate53};
const wrapper1 = {validate: validate54};

function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate54.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
const _errs1 = errors;
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs1 === errors;
valid0 = valid0 || _valid0;
const _errs3 = errors;
if(!((typeof data == "number") && (isFinite(data)))){
const err1 = {instancePath,schemaPath:"#/anyOf/1/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = valid0 || _valid0;
const _errs5 = errors;
if(typeof data !== "boolean"){
const err2 = {instancePath,schemaPath:"#/anyOf/2/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid0 = _errs5 === errors;
valid0 = valid0 || _valid0;
const _errs7 = errors;
if(data !== null){
const err3 = {instancePath,schemaPath:"#/anyOf/3/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var _valid0 = _errs7 === errors;
valid0 = valid0 || _valid0;
const _errs9 = errors;
if(!(wrapper0.validate(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
else {
var props0 = wrapper0.validate.evaluated.props;
var items0 = wrapper0.validate.evaluated.items;
}
var _valid0 = _errs9 === errors;
valid0 = valid0 || _valid0;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data)){
var valid1 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs12 = errors;
if(!(wrapper1.validate(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper1.validate.errors : vErrors.concat(wrapper1.validate.errors);
errors = vErrors.length;
}
var valid1 = _errs12 === errors;
if(!valid1){
break;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/anyOf/5/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
var _valid0 = _errs10 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(items0 !== true){
items0 = true;
}
}
if(!valid0){
const err5 = {instancePath,schemaPath:"#/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate54.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate54.errors = vErrors;
evaluated0.props = props0;
evaluated0.items = items0;
return errors === 0;
}
validate54.evaluated = {"dynamicProps":true,"dynamicItems":true};


function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate53.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
const _errs2 = errors;
if(!(validate54(data[key0], {instancePath:instancePath+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
if(!valid0){
break;
}
}
}
else {
validate53.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition0 = validate56;

function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate56.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
const _errs1 = errors;
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs1 === errors;
valid0 = valid0 || _valid0;
const _errs3 = errors;
if(!((typeof data == "number") && (isFinite(data)))){
const err1 = {instancePath,schemaPath:"#/anyOf/1/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = valid0 || _valid0;
const _errs5 = errors;
if(typeof data !== "boolean"){
const err2 = {instancePath,schemaPath:"#/anyOf/2/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid0 = _errs5 === errors;
valid0 = valid0 || _valid0;
const _errs7 = errors;
if(data !== null){
const err3 = {instancePath,schemaPath:"#/anyOf/3/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var _valid0 = _errs7 === errors;
valid0 = valid0 || _valid0;
const _errs9 = errors;
if(!(validate53(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs9 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
var props0 = true;
}
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data)){
var valid1 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs12 = errors;
if(!(validate54(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid1 = _errs12 === errors;
if(!valid1){
break;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/anyOf/5/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
var _valid0 = _errs10 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
var items1 = true;
}
if(!valid0){
const err5 = {instancePath,schemaPath:"#/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate56.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate56.errors = vErrors;
evaluated0.props = props0;
evaluated0.items = items1;
return errors === 0;
}
validate56.evaluated = {"dynamicProps":true,"dynamicItems":true};

const definition2 = validate59;
const schema23 = {"title":"TraceId","description":"Id of a trace. A client may choose it; one made by the store sorts by time.","type":"string","pattern":"^tr_[0-9A-Za-z_-]{1,64}$"};
const pattern3 = new RegExp("^tr_[0-9A-Za-z_-]{1,64}$", "u");

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate59.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern3.test(data)){
validate59.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^tr_[0-9A-Za-z_-]{1,64}$"},message:"must match pattern \""+"^tr_[0-9A-Za-z_-]{1,64}$"+"\""}];
return false;
}
}
else {
validate59.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate59.errors = vErrors;
return errors === 0;
}
validate59.evaluated = {"dynamicProps":false,"dynamicItems":false};

const definition3 = validate60;
const schema24 = {"title":"BlockId","description":"Id of a block. A client may choose it, so that a repeated write stores one block.","type":"string","pattern":"^tb_[0-9A-Za-z_-]{1,64}$"};
const pattern4 = new RegExp("^tb_[0-9A-Za-z_-]{1,64}$", "u");

function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate60.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern4.test(data)){
validate60.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^tb_[0-9A-Za-z_-]{1,64}$"},message:"must match pattern \""+"^tb_[0-9A-Za-z_-]{1,64}$"+"\""}];
return false;
}
}
else {
validate60.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate60.errors = vErrors;
return errors === 0;
}
validate60.evaluated = {"dynamicProps":false,"dynamicItems":false};

const definition4 = validate61;
const schema25 = {"title":"CallId","description":"Id of a tool call, chosen by the client and unique within its trace. At most 256 bytes of UTF-8.","type":"string","minLength":1,"maxLength":256};
const func1 = helper(helper0);

function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate61.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 256){
validate61.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func1(data) < 1){
validate61.errors = [{instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate61.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate61.errors = vErrors;
return errors === 0;
}
validate61.evaluated = {"dynamicProps":false,"dynamicItems":false};

const definition5 = validate62;
const schema26 = {"title":"Timestamp","description":"RFC 3339 time in UTC with microseconds, such as 2025-03-01T12:00:00.000001Z: sorts as text.","type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z$"};
const pattern5 = new RegExp("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z$", "u");

function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate62.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern5.test(data)){
validate62.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z$"},message:"must match pattern \""+"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z$"+"\""}];
return false;
}
}
else {
validate62.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate62.errors = vErrors;
return errors === 0;
}
validate62.evaluated = {"dynamicProps":false,"dynamicItems":false};

const definition6 = validate63;
const schema27 = {"title":"SubType","description":"Meaning of a block.","enum":["MESSAGE","TOOL_CALL","TOOL_RESULT","THINK"]};

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((((data === "MESSAGE") || (data === "TOOL_CALL")) || (data === "TOOL_RESULT")) || (data === "THINK"))){
validate63.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema27.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"dynamicProps":false,"dynamicItems":false};

const definition7 = validate64;
const schema28 = {"title":"ContentPart","description":"One part of a message's content, such as an ORS block; its other fields depend on its type.","type":"object","required":["type"],"properties":{"type":{"type":"string","minLength":1}},"additionalProperties":true};

function validate64(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate64.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.type === undefined) && (missing0 = "type")){
validate64.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.type !== undefined){
let data0 = data.type;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) < 1){
validate64.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate64.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
}
else {
validate64.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate64.errors = vErrors;
return errors === 0;
}
validate64.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition8 = validate65;
const schema29 = {"title":"MessagePayload","description":"What was said, and by whom. The content is limited to 65536 bytes (LIMIT_MSG_BYTES).","type":"object","required":["role","content"],"properties":{"role":{"enum":["system","user","assistant"]},"content":{"description":"Text, or parts in order; never empty. White space alone is content.","anyOf":[{"type":"string","minLength":1},{"type":"array","minItems":1,"items":{"$ref":"#/$defs/ContentPart"}}]}},"additionalProperties":true};

function validate65(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate65.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.role === undefined) && (missing0 = "role")) || ((data.content === undefined) && (missing0 = "content"))){
validate65.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.role !== undefined){
let data0 = data.role;
const _errs2 = errors;
if(!(((data0 === "system") || (data0 === "user")) || (data0 === "assistant"))){
validate65.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema29.properties.role.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.content !== undefined){
let data1 = data.content;
const _errs3 = errors;
const _errs4 = errors;
let valid1 = false;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func1(data1) < 1){
const err0 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/anyOf/0/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs5 === errors;
valid1 = valid1 || _valid0;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data1)){
if(data1.length < 1){
const err2 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/anyOf/1/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
var valid2 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs9 = errors;
if(!(validate64(data1[i0], {instancePath:instancePath+"/content/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate64.errors : vErrors.concat(validate64.errors);
errors = vErrors.length;
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
}
}
else {
const err3 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/anyOf/1/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
var _valid0 = _errs7 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err4 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
validate65.errors = vErrors;
return false;
}
else {
errors = _errs4;
if(vErrors !== null){
if(_errs4){
vErrors.length = _errs4;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate65.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate65.errors = vErrors;
return errors === 0;
}
validate65.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition11 = validate67;
const schema30 = {"title":"ToolName","description":"Name of a tool: at most 256 bytes of UTF-8, no control characters, no white space at either end.","type":"string","maxLength":256,"pattern":"^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$"};
const pattern6 = new RegExp("^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$", "u");

function validate67(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate67.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 256){
validate67.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(!pattern6.test(data)){
validate67.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$"},message:"must match pattern \""+"^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$"+"\""}];
return false;
}
}
}
else {
validate67.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate67.errors = vErrors;
return errors === 0;
}
validate67.evaluated = {"dynamicProps":false,"dynamicItems":false};

const definition9 = validate68;
const schema31 = {"title":"ToolCallPayload","description":"A call of a tool, as stored. The arguments are limited to 262144 bytes (LIMIT_TOOL_ARGS_BYTES).","type":"object","required":["name","arguments"],"properties":{"call_id":{"$ref":"#/$defs/CallId"},"name":{"$ref":"#/$defs/ToolName"},"arguments":{"$ref":"#/$defs/JSONObject"}},"additionalProperties":true};

function validate68(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate68.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.name === undefined) && (missing0 = "name")) || ((data.arguments === undefined) && (missing0 = "arguments"))){
validate68.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.call_id !== undefined){
const _errs2 = errors;
if(!(validate61(data.call_id, {instancePath:instancePath+"/call_id",parentData:data,parentDataProperty:"call_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs3 = errors;
if(!(validate67(data.name, {instancePath:instancePath+"/name",parentData:data,parentDataProperty:"name",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.arguments !== undefined){
const _errs4 = errors;
if(!(validate53(data.arguments, {instancePath:instancePath+"/arguments",parentData:data,parentDataProperty:"arguments",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate68.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate68.errors = vErrors;
return errors === 0;
}
validate68.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition10 = validate72;
const schema32 = {"title":"ToolCallPayloadInput","description":"A call of a tool, as written. Model providers give the arguments as JSON text; it is parsed and stored as an object.","type":"object","required":["name","arguments"],"properties":{"call_id":{"$ref":"#/$defs/CallId"},"name":{"$ref":"#/$defs/ToolName"},"arguments":{"description":"An object, or text that parses to one.","anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"string","contentMediaType":"application/json","pattern":"^[ \\t\\r\\n]*[{]"}]}},"additionalProperties":true};
const pattern7 = new RegExp("^[ \\t\\r\\n]*[{]", "u");

function validate72(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate72.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.name === undefined) && (missing0 = "name")) || ((data.arguments === undefined) && (missing0 = "arguments"))){
validate72.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.call_id !== undefined){
const _errs2 = errors;
if(!(validate61(data.call_id, {instancePath:instancePath+"/call_id",parentData:data,parentDataProperty:"call_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs3 = errors;
if(!(validate67(data.name, {instancePath:instancePath+"/name",parentData:data,parentDataProperty:"name",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate67.errors : vErrors.concat(validate67.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.arguments !== undefined){
let data2 = data.arguments;
const _errs4 = errors;
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if(!(validate53(data2, {instancePath:instancePath+"/arguments",parentData:data,parentDataProperty:"arguments",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(!pattern7.test(data2)){
const err0 = {instancePath:instancePath+"/arguments",schemaPath:"#/properties/arguments/anyOf/1/pattern",keyword:"pattern",params:{pattern: "^[ \\t\\r\\n]*[{]"},message:"must match pattern \""+"^[ \\t\\r\\n]*[{]"+"\""};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath:instancePath+"/arguments",schemaPath:"#/properties/arguments/anyOf/1/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs7 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err2 = {instancePath:instancePath+"/arguments",schemaPath:"#/properties/arguments/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
validate72.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate72.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate72.errors = vErrors;
return errors === 0;
}
validate72.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition12 = validate76;
const schema33 = {"title":"ThinkPayload","description":"A step of reasoning. The text is limited to 32768 bytes (LIMIT_THINK_BYTES).","type":"object","required":["text"],"properties":{"text":{"type":"string","minLength":1}},"additionalProperties":true};

function validate76(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate76.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.text === undefined) && (missing0 = "text")){
validate76.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.text !== undefined){
let data0 = data.text;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) < 1){
validate76.errors = [{instancePath:instancePath+"/text",schemaPath:"#/properties/text/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate76.errors = [{instancePath:instancePath+"/text",schemaPath:"#/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
}
else {
validate76.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate76.errors = vErrors;
return errors === 0;
}
validate76.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition13 = validate77;
const schema34 = {"title":"Seq","description":"Place among the results of one call, from 0; null or absent sorts last.","type":["integer","null"],"minimum":0,"maximum":9007199254740991};

function validate77(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate77.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((!(((typeof data == "number") && (!(data % 1) && !isNaN(data))) && (isFinite(data)))) && (data !== null)){
validate77.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema34.type},message:"must be integer,null"}];
return false;
}
if(errors === 0){
if((typeof data == "number") && (isFinite(data))){
if(data > 9007199254740991 || isNaN(data)){
validate77.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data < 0 || isNaN(data)){
validate77.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
validate77.errors = vErrors;
return errors === 0;
}
validate77.evaluated = {"dynamicProps":false,"dynamicItems":false};

const definition14 = validate78;
const schema35 = {"title":"ToolResultOutput","description":"The whole result of a call. A null delta counts as absent, unless the output is null too. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).","type":"object","required":["output"],"properties":{"call_id":{"$ref":"#/$defs/CallId"},"output":{"$ref":"#/$defs/JSONValue"},"delta":{"type":"null"},"seq":{"$ref":"#/$defs/Seq"}},"additionalProperties":true,"not":{"required":["delta"],"properties":{"output":{"type":"null"},"delta":true}}};

function validate78(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate78.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs1 = errors;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.delta === undefined) && (missing0 = "delta")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data.output !== undefined){
if(data.output !== null){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
var valid0 = _errs2 === errors;
if(valid0){
validate78.errors = [{instancePath,schemaPath:"#/not",keyword:"not",params:{},message:"must NOT be valid"}];
return false;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if((data.output === undefined) && (missing1 = "output")){
validate78.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data.call_id !== undefined){
const _errs6 = errors;
if(!(validate61(data.call_id, {instancePath:instancePath+"/call_id",parentData:data,parentDataProperty:"call_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
var valid2 = _errs6 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.output !== undefined){
const _errs7 = errors;
if(!(validate54(data.output, {instancePath:instancePath+"/output",parentData:data,parentDataProperty:"output",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.delta !== undefined){
const _errs8 = errors;
if(data.delta !== null){
validate78.errors = [{instancePath:instancePath+"/delta",schemaPath:"#/properties/delta/type",keyword:"type",params:{type: "null"},message:"must be null"}];
return false;
}
var valid2 = _errs8 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.seq !== undefined){
const _errs10 = errors;
if(!(validate77(data.seq, {instancePath:instancePath+"/seq",parentData:data,parentDataProperty:"seq",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid2 = _errs10 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
else {
validate78.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate78.errors = vErrors;
return errors === 0;
}
validate78.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition15 = validate82;
const schema36 = {"title":"ToolResultDelta","description":"One streamed piece of a call's result. A null output counts as absent. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).","type":"object","required":["delta"],"properties":{"call_id":{"$ref":"#/$defs/CallId"},"delta":{"description":"Text or list items, to be joined in the order of seq.","anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/JSONValue"}}]},"output":{"type":"null"},"seq":{"$ref":"#/$defs/Seq"}},"additionalProperties":true};

function validate82(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate82.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.delta === undefined) && (missing0 = "delta")){
validate82.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.call_id !== undefined){
const _errs2 = errors;
if(!(validate61(data.call_id, {instancePath:instancePath+"/call_id",parentData:data,parentDataProperty:"call_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delta !== undefined){
let data1 = data.delta;
const _errs3 = errors;
const _errs4 = errors;
let valid1 = false;
const _errs5 = errors;
if(typeof data1 !== "string"){
const err0 = {instancePath:instancePath+"/delta",schemaPath:"#/properties/delta/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs5 === errors;
valid1 = valid1 || _valid0;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data1)){
var valid2 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs9 = errors;
if(!(validate54(data1[i0], {instancePath:instancePath+"/delta/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
}
else {
const err1 = {instancePath:instancePath+"/delta",schemaPath:"#/properties/delta/anyOf/1/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs7 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err2 = {instancePath:instancePath+"/delta",schemaPath:"#/properties/delta/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
validate82.errors = vErrors;
return false;
}
else {
errors = _errs4;
if(vErrors !== null){
if(_errs4){
vErrors.length = _errs4;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.output !== undefined){
const _errs10 = errors;
if(data.output !== null){
validate82.errors = [{instancePath:instancePath+"/output",schemaPath:"#/properties/output/type",keyword:"type",params:{type: "null"},message:"must be null"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seq !== undefined){
const _errs12 = errors;
if(!(validate77(data.seq, {instancePath:instancePath+"/seq",parentData:data,parentDataProperty:"seq",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate82.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate82.errors = vErrors;
return errors === 0;
}
validate82.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition16 = validate86;
const schema37 = {"title":"ToolResultPayload","description":"The result of a call, whole or one piece of it: exactly one of output and delta.","oneOf":[{"$ref":"#/$defs/ToolResultOutput"},{"$ref":"#/$defs/ToolResultDelta"}]};

function validate86(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate86.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate78(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate78.errors : vErrors.concat(validate78.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = true;
}
const _errs2 = errors;
if(!(validate82(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate82.errors : vErrors.concat(validate82.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = true;
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate86.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate86.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate86.evaluated = {"dynamicProps":true,"dynamicItems":false};

const definition17 = validate89;
const schema38 = {"title":"MessageBlockInput","description":"A message to write. It has no parent.","type":"object","required":["sub_type","payload"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"trace_id":{"$ref":"#/$defs/TraceId"},"block_type":{"const":"MESSAGE"},"sub_type":{"const":"MESSAGE"},"payload":{"$ref":"#/$defs/MessagePayload"},"parent_block_id":{"type":"null"},"raw":{"$ref":"#/$defs/JSONValue"},"extra":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]}},"additionalProperties":false};

function validate89(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate89.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.sub_type === undefined) && (missing0 = "sub_type")) || ((data.payload === undefined) && (missing0 = "payload"))){
validate89.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "id") || (key0 === "trace_id")) || (key0 === "block_type")) || (key0 === "sub_type")) || (key0 === "payload")) || (key0 === "parent_block_id")) || (key0 === "raw")) || (key0 === "extra"))){
validate89.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
const _errs3 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
const _errs4 = errors;
if("MESSAGE" !== data.block_type){
validate89.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/const",keyword:"const",params:{allowedValue: "MESSAGE"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs5 = errors;
if("MESSAGE" !== data.sub_type){
validate89.errors = [{instancePath:instancePath+"/sub_type",schemaPath:"#/properties/sub_type/const",keyword:"const",params:{allowedValue: "MESSAGE"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payload !== undefined){
const _errs6 = errors;
if(!(validate65(data.payload, {instancePath:instancePath+"/payload",parentData:data,parentDataProperty:"payload",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
const _errs7 = errors;
if(data.parent_block_id !== null){
validate89.errors = [{instancePath:instancePath+"/parent_block_id",schemaPath:"#/properties/parent_block_id/type",keyword:"type",params:{type: "null"},message:"must be null"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
const _errs9 = errors;
if(!(validate54(data.raw, {instancePath:instancePath+"/raw",parentData:data,parentDataProperty:"raw",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extra !== undefined){
let data7 = data.extra;
const _errs10 = errors;
const _errs11 = errors;
let valid1 = false;
const _errs12 = errors;
if(!(validate53(data7, {instancePath:instancePath+"/extra",parentData:data,parentDataProperty:"extra",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
const _errs13 = errors;
if(data7 !== null){
const err0 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs13 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate89.errors = vErrors;
return false;
}
else {
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate89.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate89.errors = vErrors;
return errors === 0;
}
validate89.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition18 = validate95;
const schema39 = {"title":"ToolCallBlockInput","description":"A tool call to write, under a message of the same trace.","type":"object","required":["sub_type","payload","parent_block_id"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"trace_id":{"$ref":"#/$defs/TraceId"},"block_type":{"const":"ACT"},"sub_type":{"const":"TOOL_CALL"},"payload":{"$ref":"#/$defs/ToolCallPayloadInput"},"parent_block_id":{"$ref":"#/$defs/BlockId"},"raw":{"$ref":"#/$defs/JSONValue"},"extra":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]}},"additionalProperties":false};

function validate95(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate95.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.sub_type === undefined) && (missing0 = "sub_type")) || ((data.payload === undefined) && (missing0 = "payload"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))){
validate95.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "id") || (key0 === "trace_id")) || (key0 === "block_type")) || (key0 === "sub_type")) || (key0 === "payload")) || (key0 === "parent_block_id")) || (key0 === "raw")) || (key0 === "extra"))){
validate95.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
const _errs3 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
const _errs4 = errors;
if("ACT" !== data.block_type){
validate95.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/const",keyword:"const",params:{allowedValue: "ACT"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs5 = errors;
if("TOOL_CALL" !== data.sub_type){
validate95.errors = [{instancePath:instancePath+"/sub_type",schemaPath:"#/properties/sub_type/const",keyword:"const",params:{allowedValue: "TOOL_CALL"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payload !== undefined){
const _errs6 = errors;
if(!(validate72(data.payload, {instancePath:instancePath+"/payload",parentData:data,parentDataProperty:"payload",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate72.errors : vErrors.concat(validate72.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
const _errs7 = errors;
if(!(validate60(data.parent_block_id, {instancePath:instancePath+"/parent_block_id",parentData:data,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
const _errs8 = errors;
if(!(validate54(data.raw, {instancePath:instancePath+"/raw",parentData:data,parentDataProperty:"raw",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extra !== undefined){
let data7 = data.extra;
const _errs9 = errors;
const _errs10 = errors;
let valid1 = false;
const _errs11 = errors;
if(!(validate53(data7, {instancePath:instancePath+"/extra",parentData:data,parentDataProperty:"extra",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs11 === errors;
valid1 = valid1 || _valid0;
const _errs12 = errors;
if(data7 !== null){
const err0 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate95.errors = vErrors;
return false;
}
else {
errors = _errs10;
if(vErrors !== null){
if(_errs10){
vErrors.length = _errs10;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate95.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate95.errors = vErrors;
return errors === 0;
}
validate95.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition19 = validate102;
const schema40 = {"title":"ThinkBlockInput","description":"A step of reasoning to write, under a message of the same trace.","type":"object","required":["sub_type","payload","parent_block_id"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"trace_id":{"$ref":"#/$defs/TraceId"},"block_type":{"const":"ACT"},"sub_type":{"const":"THINK"},"payload":{"$ref":"#/$defs/ThinkPayload"},"parent_block_id":{"$ref":"#/$defs/BlockId"},"raw":{"$ref":"#/$defs/JSONValue"},"extra":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]}},"additionalProperties":false};

function validate102(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate102.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.sub_type === undefined) && (missing0 = "sub_type")) || ((data.payload === undefined) && (missing0 = "payload"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))){
validate102.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "id") || (key0 === "trace_id")) || (key0 === "block_type")) || (key0 === "sub_type")) || (key0 === "payload")) || (key0 === "parent_block_id")) || (key0 === "raw")) || (key0 === "extra"))){
validate102.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
const _errs3 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
const _errs4 = errors;
if("ACT" !== data.block_type){
validate102.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/const",keyword:"const",params:{allowedValue: "ACT"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs5 = errors;
if("THINK" !== data.sub_type){
validate102.errors = [{instancePath:instancePath+"/sub_type",schemaPath:"#/properties/sub_type/const",keyword:"const",params:{allowedValue: "THINK"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payload !== undefined){
const _errs6 = errors;
if(!(validate76(data.payload, {instancePath:instancePath+"/payload",parentData:data,parentDataProperty:"payload",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
const _errs7 = errors;
if(!(validate60(data.parent_block_id, {instancePath:instancePath+"/parent_block_id",parentData:data,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
const _errs8 = errors;
if(!(validate54(data.raw, {instancePath:instancePath+"/raw",parentData:data,parentDataProperty:"raw",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extra !== undefined){
let data7 = data.extra;
const _errs9 = errors;
const _errs10 = errors;
let valid1 = false;
const _errs11 = errors;
if(!(validate53(data7, {instancePath:instancePath+"/extra",parentData:data,parentDataProperty:"extra",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs11 === errors;
valid1 = valid1 || _valid0;
const _errs12 = errors;
if(data7 !== null){
const err0 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate102.errors = vErrors;
return false;
}
else {
errors = _errs10;
if(vErrors !== null){
if(_errs10){
vErrors.length = _errs10;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate102.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate102.errors = vErrors;
return errors === 0;
}
validate102.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition20 = validate109;
const schema41 = {"title":"ToolResultBlockInput","description":"A tool result to write, under a tool call of the same trace.","type":"object","required":["sub_type","payload","parent_block_id"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"trace_id":{"$ref":"#/$defs/TraceId"},"block_type":{"const":"OBSERVE"},"sub_type":{"const":"TOOL_RESULT"},"payload":{"$ref":"#/$defs/ToolResultPayload"},"parent_block_id":{"$ref":"#/$defs/BlockId"},"raw":{"$ref":"#/$defs/JSONValue"},"extra":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]}},"additionalProperties":false};

function validate109(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate109.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.sub_type === undefined) && (missing0 = "sub_type")) || ((data.payload === undefined) && (missing0 = "payload"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))){
validate109.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "id") || (key0 === "trace_id")) || (key0 === "block_type")) || (key0 === "sub_type")) || (key0 === "payload")) || (key0 === "parent_block_id")) || (key0 === "raw")) || (key0 === "extra"))){
validate109.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
const _errs3 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
const _errs4 = errors;
if("OBSERVE" !== data.block_type){
validate109.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/const",keyword:"const",params:{allowedValue: "OBSERVE"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs5 = errors;
if("TOOL_RESULT" !== data.sub_type){
validate109.errors = [{instancePath:instancePath+"/sub_type",schemaPath:"#/properties/sub_type/const",keyword:"const",params:{allowedValue: "TOOL_RESULT"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payload !== undefined){
const _errs6 = errors;
if(!(validate86(data.payload, {instancePath:instancePath+"/payload",parentData:data,parentDataProperty:"payload",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate86.errors : vErrors.concat(validate86.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
const _errs7 = errors;
if(!(validate60(data.parent_block_id, {instancePath:instancePath+"/parent_block_id",parentData:data,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
const _errs8 = errors;
if(!(validate54(data.raw, {instancePath:instancePath+"/raw",parentData:data,parentDataProperty:"raw",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extra !== undefined){
let data7 = data.extra;
const _errs9 = errors;
const _errs10 = errors;
let valid1 = false;
const _errs11 = errors;
if(!(validate53(data7, {instancePath:instancePath+"/extra",parentData:data,parentDataProperty:"extra",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs11 === errors;
valid1 = valid1 || _valid0;
const _errs12 = errors;
if(data7 !== null){
const err0 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate109.errors = vErrors;
return false;
}
else {
errors = _errs10;
if(vErrors !== null){
if(_errs10){
vErrors.length = _errs10;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate109.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate109.errors = vErrors;
return errors === 0;
}
validate109.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition21 = validate116;
const schema42 = {"title":"BlockInput","description":"What a client writes; sub_type tells which. The block_type follows from it and may be left out; metadata, created_at and updated_at belong to the store and are refused.","oneOf":[{"$ref":"#/$defs/MessageBlockInput"},{"$ref":"#/$defs/ToolCallBlockInput"},{"$ref":"#/$defs/ThinkBlockInput"},{"$ref":"#/$defs/ToolResultBlockInput"}]};

function validate116(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate116.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate89(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate89.errors : vErrors.concat(validate89.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = true;
}
const _errs2 = errors;
if(!(validate95(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate95.errors : vErrors.concat(validate95.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = true;
}
}
const _errs3 = errors;
if(!(validate102(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate102.errors : vErrors.concat(validate102.errors);
errors = vErrors.length;
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
if(props0 !== true){
props0 = true;
}
}
const _errs4 = errors;
if(!(validate109(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate109.errors : vErrors.concat(validate109.errors);
errors = vErrors.length;
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 3];
}
else {
if(_valid0){
valid0 = true;
passing0 = 3;
if(props0 !== true){
props0 = true;
}
}
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate116.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate116.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate116.evaluated = {"dynamicProps":true,"dynamicItems":false};

const definition22 = validate121;
const schema43 = {"title":"MessageBlock","description":"A message as stored: a root of the trace's tree.","type":"object","required":["id","trace_id","block_type","sub_type","payload","parent_block_id","metadata","raw","extra","created_at","updated_at"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"trace_id":{"$ref":"#/$defs/TraceId"},"block_type":{"const":"MESSAGE"},"sub_type":{"const":"MESSAGE"},"payload":{"$ref":"#/$defs/MessagePayload"},"parent_block_id":{"type":"null"},"metadata":{"$ref":"#/$defs/JSONObject"},"raw":{"$ref":"#/$defs/JSONValue"},"extra":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]},"created_at":{"$ref":"#/$defs/Timestamp"},"updated_at":{"$ref":"#/$defs/Timestamp"}},"additionalProperties":false};
const func7 = Object.prototype.hasOwnProperty;

function validate121(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate121.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((data.id === undefined) && (missing0 = "id")) || ((data.trace_id === undefined) && (missing0 = "trace_id"))) || ((data.block_type === undefined) && (missing0 = "block_type"))) || ((data.sub_type === undefined) && (missing0 = "sub_type"))) || ((data.payload === undefined) && (missing0 = "payload"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))) || ((data.metadata === undefined) && (missing0 = "metadata"))) || ((data.raw === undefined) && (missing0 = "raw"))) || ((data.extra === undefined) && (missing0 = "extra"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.updated_at === undefined) && (missing0 = "updated_at"))){
validate121.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema43.properties, key0))){
validate121.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
const _errs3 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
const _errs4 = errors;
if("MESSAGE" !== data.block_type){
validate121.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/const",keyword:"const",params:{allowedValue: "MESSAGE"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs5 = errors;
if("MESSAGE" !== data.sub_type){
validate121.errors = [{instancePath:instancePath+"/sub_type",schemaPath:"#/properties/sub_type/const",keyword:"const",params:{allowedValue: "MESSAGE"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payload !== undefined){
const _errs6 = errors;
if(!(validate65(data.payload, {instancePath:instancePath+"/payload",parentData:data,parentDataProperty:"payload",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
const _errs7 = errors;
if(data.parent_block_id !== null){
validate121.errors = [{instancePath:instancePath+"/parent_block_id",schemaPath:"#/properties/parent_block_id/type",keyword:"type",params:{type: "null"},message:"must be null"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs9 = errors;
if(!(validate53(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
const _errs10 = errors;
if(!(validate54(data.raw, {instancePath:instancePath+"/raw",parentData:data,parentDataProperty:"raw",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extra !== undefined){
let data8 = data.extra;
const _errs11 = errors;
const _errs12 = errors;
let valid1 = false;
const _errs13 = errors;
if(!(validate53(data8, {instancePath:instancePath+"/extra",parentData:data,parentDataProperty:"extra",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs13 === errors;
valid1 = valid1 || _valid0;
const _errs14 = errors;
if(data8 !== null){
const err0 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs14 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate121.errors = vErrors;
return false;
}
else {
errors = _errs12;
if(vErrors !== null){
if(_errs12){
vErrors.length = _errs12;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs16 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updated_at !== undefined){
const _errs17 = errors;
if(!(validate62(data.updated_at, {instancePath:instancePath+"/updated_at",parentData:data,parentDataProperty:"updated_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate121.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate121.errors = vErrors;
return errors === 0;
}
validate121.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition23 = validate130;
const schema44 = {"title":"ToolCallBlock","description":"A tool call as stored; its parent is a message.","type":"object","required":["id","trace_id","block_type","sub_type","payload","parent_block_id","metadata","raw","extra","created_at","updated_at"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"trace_id":{"$ref":"#/$defs/TraceId"},"block_type":{"const":"ACT"},"sub_type":{"const":"TOOL_CALL"},"payload":{"$ref":"#/$defs/ToolCallPayload"},"parent_block_id":{"$ref":"#/$defs/BlockId"},"metadata":{"$ref":"#/$defs/JSONObject"},"raw":{"$ref":"#/$defs/JSONValue"},"extra":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]},"created_at":{"$ref":"#/$defs/Timestamp"},"updated_at":{"$ref":"#/$defs/Timestamp"}},"additionalProperties":false};

function validate130(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate130.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((data.id === undefined) && (missing0 = "id")) || ((data.trace_id === undefined) && (missing0 = "trace_id"))) || ((data.block_type === undefined) && (missing0 = "block_type"))) || ((data.sub_type === undefined) && (missing0 = "sub_type"))) || ((data.payload === undefined) && (missing0 = "payload"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))) || ((data.metadata === undefined) && (missing0 = "metadata"))) || ((data.raw === undefined) && (missing0 = "raw"))) || ((data.extra === undefined) && (missing0 = "extra"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.updated_at === undefined) && (missing0 = "updated_at"))){
validate130.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema44.properties, key0))){
validate130.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
const _errs3 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
const _errs4 = errors;
if("ACT" !== data.block_type){
validate130.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/const",keyword:"const",params:{allowedValue: "ACT"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs5 = errors;
if("TOOL_CALL" !== data.sub_type){
validate130.errors = [{instancePath:instancePath+"/sub_type",schemaPath:"#/properties/sub_type/const",keyword:"const",params:{allowedValue: "TOOL_CALL"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payload !== undefined){
const _errs6 = errors;
if(!(validate68(data.payload, {instancePath:instancePath+"/payload",parentData:data,parentDataProperty:"payload",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
const _errs7 = errors;
if(!(validate60(data.parent_block_id, {instancePath:instancePath+"/parent_block_id",parentData:data,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs8 = errors;
if(!(validate53(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
const _errs9 = errors;
if(!(validate54(data.raw, {instancePath:instancePath+"/raw",parentData:data,parentDataProperty:"raw",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extra !== undefined){
let data8 = data.extra;
const _errs10 = errors;
const _errs11 = errors;
let valid1 = false;
const _errs12 = errors;
if(!(validate53(data8, {instancePath:instancePath+"/extra",parentData:data,parentDataProperty:"extra",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
const _errs13 = errors;
if(data8 !== null){
const err0 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs13 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate130.errors = vErrors;
return false;
}
else {
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs15 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updated_at !== undefined){
const _errs16 = errors;
if(!(validate62(data.updated_at, {instancePath:instancePath+"/updated_at",parentData:data,parentDataProperty:"updated_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate130.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate130.errors = vErrors;
return errors === 0;
}
validate130.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition24 = validate140;
const schema45 = {"title":"ThinkBlock","description":"A step of reasoning as stored; its parent is a message.","type":"object","required":["id","trace_id","block_type","sub_type","payload","parent_block_id","metadata","raw","extra","created_at","updated_at"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"trace_id":{"$ref":"#/$defs/TraceId"},"block_type":{"const":"ACT"},"sub_type":{"const":"THINK"},"payload":{"$ref":"#/$defs/ThinkPayload"},"parent_block_id":{"$ref":"#/$defs/BlockId"},"metadata":{"$ref":"#/$defs/JSONObject"},"raw":{"$ref":"#/$defs/JSONValue"},"extra":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]},"created_at":{"$ref":"#/$defs/Timestamp"},"updated_at":{"$ref":"#/$defs/Timestamp"}},"additionalProperties":false};

function validate140(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate140.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((data.id === undefined) && (missing0 = "id")) || ((data.trace_id === undefined) && (missing0 = "trace_id"))) || ((data.block_type === undefined) && (missing0 = "block_type"))) || ((data.sub_type === undefined) && (missing0 = "sub_type"))) || ((data.payload === undefined) && (missing0 = "payload"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))) || ((data.metadata === undefined) && (missing0 = "metadata"))) || ((data.raw === undefined) && (missing0 = "raw"))) || ((data.extra === undefined) && (missing0 = "extra"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.updated_at === undefined) && (missing0 = "updated_at"))){
validate140.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema45.properties, key0))){
validate140.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
const _errs3 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
const _errs4 = errors;
if("ACT" !== data.block_type){
validate140.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/const",keyword:"const",params:{allowedValue: "ACT"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs5 = errors;
if("THINK" !== data.sub_type){
validate140.errors = [{instancePath:instancePath+"/sub_type",schemaPath:"#/properties/sub_type/const",keyword:"const",params:{allowedValue: "THINK"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payload !== undefined){
const _errs6 = errors;
if(!(validate76(data.payload, {instancePath:instancePath+"/payload",parentData:data,parentDataProperty:"payload",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
const _errs7 = errors;
if(!(validate60(data.parent_block_id, {instancePath:instancePath+"/parent_block_id",parentData:data,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs8 = errors;
if(!(validate53(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
const _errs9 = errors;
if(!(validate54(data.raw, {instancePath:instancePath+"/raw",parentData:data,parentDataProperty:"raw",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extra !== undefined){
let data8 = data.extra;
const _errs10 = errors;
const _errs11 = errors;
let valid1 = false;
const _errs12 = errors;
if(!(validate53(data8, {instancePath:instancePath+"/extra",parentData:data,parentDataProperty:"extra",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
const _errs13 = errors;
if(data8 !== null){
const err0 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs13 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate140.errors = vErrors;
return false;
}
else {
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs15 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updated_at !== undefined){
const _errs16 = errors;
if(!(validate62(data.updated_at, {instancePath:instancePath+"/updated_at",parentData:data,parentDataProperty:"updated_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate140.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate140.errors = vErrors;
return errors === 0;
}
validate140.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition25 = validate150;
const schema46 = {"title":"ToolResultBlock","description":"A tool result as stored; its parent is a tool call.","type":"object","required":["id","trace_id","block_type","sub_type","payload","parent_block_id","metadata","raw","extra","created_at","updated_at"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"trace_id":{"$ref":"#/$defs/TraceId"},"block_type":{"const":"OBSERVE"},"sub_type":{"const":"TOOL_RESULT"},"payload":{"$ref":"#/$defs/ToolResultPayload"},"parent_block_id":{"$ref":"#/$defs/BlockId"},"metadata":{"$ref":"#/$defs/JSONObject"},"raw":{"$ref":"#/$defs/JSONValue"},"extra":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]},"created_at":{"$ref":"#/$defs/Timestamp"},"updated_at":{"$ref":"#/$defs/Timestamp"}},"additionalProperties":false};

function validate150(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate150.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((data.id === undefined) && (missing0 = "id")) || ((data.trace_id === undefined) && (missing0 = "trace_id"))) || ((data.block_type === undefined) && (missing0 = "block_type"))) || ((data.sub_type === undefined) && (missing0 = "sub_type"))) || ((data.payload === undefined) && (missing0 = "payload"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))) || ((data.metadata === undefined) && (missing0 = "metadata"))) || ((data.raw === undefined) && (missing0 = "raw"))) || ((data.extra === undefined) && (missing0 = "extra"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.updated_at === undefined) && (missing0 = "updated_at"))){
validate150.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema46.properties, key0))){
validate150.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
const _errs3 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
const _errs4 = errors;
if("OBSERVE" !== data.block_type){
validate150.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/const",keyword:"const",params:{allowedValue: "OBSERVE"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs5 = errors;
if("TOOL_RESULT" !== data.sub_type){
validate150.errors = [{instancePath:instancePath+"/sub_type",schemaPath:"#/properties/sub_type/const",keyword:"const",params:{allowedValue: "TOOL_RESULT"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payload !== undefined){
const _errs6 = errors;
if(!(validate86(data.payload, {instancePath:instancePath+"/payload",parentData:data,parentDataProperty:"payload",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate86.errors : vErrors.concat(validate86.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
const _errs7 = errors;
if(!(validate60(data.parent_block_id, {instancePath:instancePath+"/parent_block_id",parentData:data,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs8 = errors;
if(!(validate53(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
const _errs9 = errors;
if(!(validate54(data.raw, {instancePath:instancePath+"/raw",parentData:data,parentDataProperty:"raw",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extra !== undefined){
let data8 = data.extra;
const _errs10 = errors;
const _errs11 = errors;
let valid1 = false;
const _errs12 = errors;
if(!(validate53(data8, {instancePath:instancePath+"/extra",parentData:data,parentDataProperty:"extra",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
const _errs13 = errors;
if(data8 !== null){
const err0 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs13 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate150.errors = vErrors;
return false;
}
else {
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs15 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updated_at !== undefined){
const _errs16 = errors;
if(!(validate62(data.updated_at, {instancePath:instancePath+"/updated_at",parentData:data,parentDataProperty:"updated_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate150.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate150.errors = vErrors;
return errors === 0;
}
validate150.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition26 = validate160;
const schema47 = {"title":"Block","description":"A row of trace_blocks; sub_type tells which. Never changed once written, so updated_at equals created_at.","oneOf":[{"$ref":"#/$defs/MessageBlock"},{"$ref":"#/$defs/ToolCallBlock"},{"$ref":"#/$defs/ThinkBlock"},{"$ref":"#/$defs/ToolResultBlock"}]};

function validate160(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate160.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate121(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate121.errors : vErrors.concat(validate121.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = true;
}
const _errs2 = errors;
if(!(validate130(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate130.errors : vErrors.concat(validate130.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = true;
}
}
const _errs3 = errors;
if(!(validate140(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate140.errors : vErrors.concat(validate140.errors);
errors = vErrors.length;
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
if(props0 !== true){
props0 = true;
}
}
const _errs4 = errors;
if(!(validate150(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate150.errors : vErrors.concat(validate150.errors);
errors = vErrors.length;
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 3];
}
else {
if(_valid0){
valid0 = true;
passing0 = 3;
if(props0 !== true){
props0 = true;
}
}
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate160.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate160.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate160.evaluated = {"dynamicProps":true,"dynamicItems":false};

const definition27 = validate165;
const schema48 = {"title":"TraceStatus","description":"How far the agent run is: finished when the episode said so, error when it failed, abandoned when it was deleted before.","enum":["running","finished","error","abandoned"]};

function validate165(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate165.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((((data === "running") || (data === "finished")) || (data === "error")) || (data === "abandoned"))){
validate165.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema48.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate165.errors = vErrors;
return errors === 0;
}
validate165.evaluated = {"dynamicProps":false,"dynamicItems":false};

const definition28 = validate166;
const schema49 = {"title":"Trace","description":"The log of one agent run, without its blocks. The counters cover every block that is stored.","type":"object","required":["id","name","run","environment","variant","split","task_index","task_spec","task_key","group_id","step","rollout_index","model","status","tags","metadata","run_info","rollout_info","reward_sum","reward_last","reward_max","reward_count","block_count","bytes","error_count","created_at","finished_at","updated_at"],"properties":{"id":{"$ref":"#/$defs/TraceId"},"name":{"type":["string","null"]},"run":{"description":"The training or evaluation run that it belongs to.","type":["string","null"]},"environment":{"type":["string","null"]},"variant":{"type":["string","null"]},"split":{"type":["string","null"]},"task_index":{"type":["integer","null"],"minimum":0},"task_spec":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]},"task_key":{"description":"SHA-256 of the canonical task_spec, in lower-case hex.","type":["string","null"],"pattern":"^[0-9a-f]{64}$"},"group_id":{"description":"Rollouts of one task that are compared with each other.","type":["string","null"]},"step":{"description":"Training step.","type":["integer","null"],"minimum":0},"rollout_index":{"description":"Place in its group.","type":["integer","null"],"minimum":0},"model":{"type":["string","null"]},"status":{"$ref":"#/$defs/TraceStatus"},"tags":{"type":"array","items":{"type":"string"}},"metadata":{"$ref":"#/$defs/JSONObject"},"run_info":{"$ref":"#/$defs/JSONObject"},"rollout_info":{"$ref":"#/$defs/JSONObject"},"reward_sum":{"description":"Sum of extra.reward over the blocks; null while there is none.","type":["number","null"]},"reward_last":{"type":["number","null"]},"reward_max":{"type":["number","null"]},"reward_count":{"type":"integer","minimum":0},"block_count":{"type":"integer","minimum":0},"bytes":{"description":"Stored bytes of the blocks.","type":"integer","minimum":0},"error_count":{"description":"Tool results that report a failure.","type":"integer","minimum":0},"created_at":{"$ref":"#/$defs/Timestamp"},"finished_at":{"anyOf":[{"$ref":"#/$defs/Timestamp"},{"type":"null"}]},"updated_at":{"$ref":"#/$defs/Timestamp"}},"additionalProperties":false};
const pattern8 = new RegExp("^[0-9a-f]{64}$", "u");

function validate166(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate166.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((((((((((((((((data.id === undefined) && (missing0 = "id")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.run === undefined) && (missing0 = "run"))) || ((data.environment === undefined) && (missing0 = "environment"))) || ((data.variant === undefined) && (missing0 = "variant"))) || ((data.split === undefined) && (missing0 = "split"))) || ((data.task_index === undefined) && (missing0 = "task_index"))) || ((data.task_spec === undefined) && (missing0 = "task_spec"))) || ((data.task_key === undefined) && (missing0 = "task_key"))) || ((data.group_id === undefined) && (missing0 = "group_id"))) || ((data.step === undefined) && (missing0 = "step"))) || ((data.rollout_index === undefined) && (missing0 = "rollout_index"))) || ((data.model === undefined) && (missing0 = "model"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.tags === undefined) && (missing0 = "tags"))) || ((data.metadata === undefined) && (missing0 = "metadata"))) || ((data.run_info === undefined) && (missing0 = "run_info"))) || ((data.rollout_info === undefined) && (missing0 = "rollout_info"))) || ((data.reward_sum === undefined) && (missing0 = "reward_sum"))) || ((data.reward_last === undefined) && (missing0 = "reward_last"))) || ((data.reward_max === undefined) && (missing0 = "reward_max"))) || ((data.reward_count === undefined) && (missing0 = "reward_count"))) || ((data.block_count === undefined) && (missing0 = "block_count"))) || ((data.bytes === undefined) && (missing0 = "bytes"))) || ((data.error_count === undefined) && (missing0 = "error_count"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.finished_at === undefined) && (missing0 = "finished_at"))) || ((data.updated_at === undefined) && (missing0 = "updated_at"))){
validate166.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema49.properties, key0))){
validate166.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate59(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs3 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate166.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema49.properties.name.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.run !== undefined){
let data2 = data.run;
const _errs5 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate166.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/type",keyword:"type",params:{type: schema49.properties.run.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.environment !== undefined){
let data3 = data.environment;
const _errs7 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate166.errors = [{instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/type",keyword:"type",params:{type: schema49.properties.environment.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.variant !== undefined){
let data4 = data.variant;
const _errs9 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate166.errors = [{instancePath:instancePath+"/variant",schemaPath:"#/properties/variant/type",keyword:"type",params:{type: schema49.properties.variant.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.split !== undefined){
let data5 = data.split;
const _errs11 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate166.errors = [{instancePath:instancePath+"/split",schemaPath:"#/properties/split/type",keyword:"type",params:{type: schema49.properties.split.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.task_index !== undefined){
let data6 = data.task_index;
const _errs13 = errors;
if((!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))) && (data6 !== null)){
validate166.errors = [{instancePath:instancePath+"/task_index",schemaPath:"#/properties/task_index/type",keyword:"type",params:{type: schema49.properties.task_index.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs13){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
validate166.errors = [{instancePath:instancePath+"/task_index",schemaPath:"#/properties/task_index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.task_spec !== undefined){
let data7 = data.task_spec;
const _errs15 = errors;
const _errs16 = errors;
let valid1 = false;
const _errs17 = errors;
if(!(validate53(data7, {instancePath:instancePath+"/task_spec",parentData:data,parentDataProperty:"task_spec",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs17 === errors;
valid1 = valid1 || _valid0;
const _errs18 = errors;
if(data7 !== null){
const err0 = {instancePath:instancePath+"/task_spec",schemaPath:"#/properties/task_spec/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs18 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/task_spec",schemaPath:"#/properties/task_spec/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate166.errors = vErrors;
return false;
}
else {
errors = _errs16;
if(vErrors !== null){
if(_errs16){
vErrors.length = _errs16;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.task_key !== undefined){
let data8 = data.task_key;
const _errs20 = errors;
if((typeof data8 !== "string") && (data8 !== null)){
validate166.errors = [{instancePath:instancePath+"/task_key",schemaPath:"#/properties/task_key/type",keyword:"type",params:{type: schema49.properties.task_key.type},message:"must be string,null"}];
return false;
}
if(errors === _errs20){
if(typeof data8 === "string"){
if(!pattern8.test(data8)){
validate166.errors = [{instancePath:instancePath+"/task_key",schemaPath:"#/properties/task_key/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.group_id !== undefined){
let data9 = data.group_id;
const _errs22 = errors;
if((typeof data9 !== "string") && (data9 !== null)){
validate166.errors = [{instancePath:instancePath+"/group_id",schemaPath:"#/properties/group_id/type",keyword:"type",params:{type: schema49.properties.group_id.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.step !== undefined){
let data10 = data.step;
const _errs24 = errors;
if((!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))) && (data10 !== null)){
validate166.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/type",keyword:"type",params:{type: schema49.properties.step.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs24){
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 0 || isNaN(data10)){
validate166.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rollout_index !== undefined){
let data11 = data.rollout_index;
const _errs26 = errors;
if((!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))) && (data11 !== null)){
validate166.errors = [{instancePath:instancePath+"/rollout_index",schemaPath:"#/properties/rollout_index/type",keyword:"type",params:{type: schema49.properties.rollout_index.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs26){
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 0 || isNaN(data11)){
validate166.errors = [{instancePath:instancePath+"/rollout_index",schemaPath:"#/properties/rollout_index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.model !== undefined){
let data12 = data.model;
const _errs28 = errors;
if((typeof data12 !== "string") && (data12 !== null)){
validate166.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: schema49.properties.model.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs30 = errors;
if(!(validate165(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate165.errors : vErrors.concat(validate165.errors);
errors = vErrors.length;
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tags !== undefined){
let data14 = data.tags;
const _errs31 = errors;
if(errors === _errs31){
if(Array.isArray(data14)){
var valid2 = true;
const len0 = data14.length;
for(let i0=0; i0<len0; i0++){
const _errs33 = errors;
if(typeof data14[i0] !== "string"){
validate166.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs33 === errors;
if(!valid2){
break;
}
}
}
else {
validate166.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs31 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs35 = errors;
if(!(validate53(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs35 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.run_info !== undefined){
const _errs36 = errors;
if(!(validate53(data.run_info, {instancePath:instancePath+"/run_info",parentData:data,parentDataProperty:"run_info",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs36 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rollout_info !== undefined){
const _errs37 = errors;
if(!(validate53(data.rollout_info, {instancePath:instancePath+"/rollout_info",parentData:data,parentDataProperty:"rollout_info",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs37 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward_sum !== undefined){
let data19 = data.reward_sum;
const _errs38 = errors;
if((!((typeof data19 == "number") && (isFinite(data19)))) && (data19 !== null)){
validate166.errors = [{instancePath:instancePath+"/reward_sum",schemaPath:"#/properties/reward_sum/type",keyword:"type",params:{type: schema49.properties.reward_sum.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs38 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward_last !== undefined){
let data20 = data.reward_last;
const _errs40 = errors;
if((!((typeof data20 == "number") && (isFinite(data20)))) && (data20 !== null)){
validate166.errors = [{instancePath:instancePath+"/reward_last",schemaPath:"#/properties/reward_last/type",keyword:"type",params:{type: schema49.properties.reward_last.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs40 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward_max !== undefined){
let data21 = data.reward_max;
const _errs42 = errors;
if((!((typeof data21 == "number") && (isFinite(data21)))) && (data21 !== null)){
validate166.errors = [{instancePath:instancePath+"/reward_max",schemaPath:"#/properties/reward_max/type",keyword:"type",params:{type: schema49.properties.reward_max.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs42 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward_count !== undefined){
let data22 = data.reward_count;
const _errs44 = errors;
if(!(((typeof data22 == "number") && (!(data22 % 1) && !isNaN(data22))) && (isFinite(data22)))){
validate166.errors = [{instancePath:instancePath+"/reward_count",schemaPath:"#/properties/reward_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs44){
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 < 0 || isNaN(data22)){
validate166.errors = [{instancePath:instancePath+"/reward_count",schemaPath:"#/properties/reward_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs44 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_count !== undefined){
let data23 = data.block_count;
const _errs46 = errors;
if(!(((typeof data23 == "number") && (!(data23 % 1) && !isNaN(data23))) && (isFinite(data23)))){
validate166.errors = [{instancePath:instancePath+"/block_count",schemaPath:"#/properties/block_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs46){
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 < 0 || isNaN(data23)){
validate166.errors = [{instancePath:instancePath+"/block_count",schemaPath:"#/properties/block_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs46 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.bytes !== undefined){
let data24 = data.bytes;
const _errs48 = errors;
if(!(((typeof data24 == "number") && (!(data24 % 1) && !isNaN(data24))) && (isFinite(data24)))){
validate166.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs48){
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 < 0 || isNaN(data24)){
validate166.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs48 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.error_count !== undefined){
let data25 = data.error_count;
const _errs50 = errors;
if(!(((typeof data25 == "number") && (!(data25 % 1) && !isNaN(data25))) && (isFinite(data25)))){
validate166.errors = [{instancePath:instancePath+"/error_count",schemaPath:"#/properties/error_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs50){
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 < 0 || isNaN(data25)){
validate166.errors = [{instancePath:instancePath+"/error_count",schemaPath:"#/properties/error_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs50 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs52 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs52 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.finished_at !== undefined){
let data27 = data.finished_at;
const _errs53 = errors;
const _errs54 = errors;
let valid3 = false;
const _errs55 = errors;
if(!(validate62(data27, {instancePath:instancePath+"/finished_at",parentData:data,parentDataProperty:"finished_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var _valid1 = _errs55 === errors;
valid3 = valid3 || _valid1;
const _errs56 = errors;
if(data27 !== null){
const err2 = {instancePath:instancePath+"/finished_at",schemaPath:"#/properties/finished_at/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs56 === errors;
valid3 = valid3 || _valid1;
if(!valid3){
const err3 = {instancePath:instancePath+"/finished_at",schemaPath:"#/properties/finished_at/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate166.errors = vErrors;
return false;
}
else {
errors = _errs54;
if(vErrors !== null){
if(_errs54){
vErrors.length = _errs54;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs53 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updated_at !== undefined){
const _errs58 = errors;
if(!(validate62(data.updated_at, {instancePath:instancePath+"/updated_at",parentData:data,parentDataProperty:"updated_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs58 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate166.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate166.errors = vErrors;
return errors === 0;
}
validate166.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition29 = validate176;
const schema50 = {"title":"TraceInput","description":"A trace to create; every field may be left out. The counters, the times and task_key follow from what is written.","type":"object","properties":{"id":{"$ref":"#/$defs/TraceId"},"name":{"description":"For people.","type":["string","null"],"maxLength":1024},"run":{"description":"The training or evaluation run that it belongs to.","type":["string","null"],"minLength":1,"maxLength":256},"environment":{"type":["string","null"],"maxLength":256},"variant":{"type":["string","null"],"maxLength":256},"split":{"type":["string","null"],"maxLength":256},"task_index":{"type":["integer","null"],"minimum":0,"maximum":9007199254740991},"task_spec":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]},"group_id":{"description":"Rollouts of one task that are compared with each other. Where it is left out, those of one run, environment, split, task_key and step are a group.","type":["string","null"],"minLength":1,"maxLength":256},"step":{"description":"Training step.","type":["integer","null"],"minimum":0,"maximum":9007199254740991},"rollout_index":{"description":"Place in its group.","type":["integer","null"],"minimum":0,"maximum":9007199254740991},"model":{"type":["string","null"],"maxLength":256},"tags":{"type":"array","maxItems":100,"items":{"type":"string","minLength":1,"maxLength":256}},"metadata":{"$ref":"#/$defs/JSONObject"},"run_info":{"$ref":"#/$defs/JSONObject"},"rollout_info":{"$ref":"#/$defs/JSONObject"},"status":{"$ref":"#/$defs/TraceStatus"}},"additionalProperties":false};

function validate176(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate176.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema50.properties, key0))){
validate176.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate59(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs3 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate176.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema50.properties.name.type},message:"must be string,null"}];
return false;
}
if(errors === _errs3){
if(typeof data1 === "string"){
if(func1(data1) > 1024){
validate176.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.run !== undefined){
let data2 = data.run;
const _errs5 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate176.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/type",keyword:"type",params:{type: schema50.properties.run.type},message:"must be string,null"}];
return false;
}
if(errors === _errs5){
if(typeof data2 === "string"){
if(func1(data2) > 256){
validate176.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func1(data2) < 1){
validate176.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.environment !== undefined){
let data3 = data.environment;
const _errs7 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate176.errors = [{instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/type",keyword:"type",params:{type: schema50.properties.environment.type},message:"must be string,null"}];
return false;
}
if(errors === _errs7){
if(typeof data3 === "string"){
if(func1(data3) > 256){
validate176.errors = [{instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.variant !== undefined){
let data4 = data.variant;
const _errs9 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate176.errors = [{instancePath:instancePath+"/variant",schemaPath:"#/properties/variant/type",keyword:"type",params:{type: schema50.properties.variant.type},message:"must be string,null"}];
return false;
}
if(errors === _errs9){
if(typeof data4 === "string"){
if(func1(data4) > 256){
validate176.errors = [{instancePath:instancePath+"/variant",schemaPath:"#/properties/variant/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.split !== undefined){
let data5 = data.split;
const _errs11 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate176.errors = [{instancePath:instancePath+"/split",schemaPath:"#/properties/split/type",keyword:"type",params:{type: schema50.properties.split.type},message:"must be string,null"}];
return false;
}
if(errors === _errs11){
if(typeof data5 === "string"){
if(func1(data5) > 256){
validate176.errors = [{instancePath:instancePath+"/split",schemaPath:"#/properties/split/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.task_index !== undefined){
let data6 = data.task_index;
const _errs13 = errors;
if((!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))) && (data6 !== null)){
validate176.errors = [{instancePath:instancePath+"/task_index",schemaPath:"#/properties/task_index/type",keyword:"type",params:{type: schema50.properties.task_index.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs13){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
validate176.errors = [{instancePath:instancePath+"/task_index",schemaPath:"#/properties/task_index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data6 < 0 || isNaN(data6)){
validate176.errors = [{instancePath:instancePath+"/task_index",schemaPath:"#/properties/task_index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.task_spec !== undefined){
let data7 = data.task_spec;
const _errs15 = errors;
const _errs16 = errors;
let valid1 = false;
const _errs17 = errors;
if(!(validate53(data7, {instancePath:instancePath+"/task_spec",parentData:data,parentDataProperty:"task_spec",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs17 === errors;
valid1 = valid1 || _valid0;
const _errs18 = errors;
if(data7 !== null){
const err0 = {instancePath:instancePath+"/task_spec",schemaPath:"#/properties/task_spec/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs18 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/task_spec",schemaPath:"#/properties/task_spec/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate176.errors = vErrors;
return false;
}
else {
errors = _errs16;
if(vErrors !== null){
if(_errs16){
vErrors.length = _errs16;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.group_id !== undefined){
let data8 = data.group_id;
const _errs20 = errors;
if((typeof data8 !== "string") && (data8 !== null)){
validate176.errors = [{instancePath:instancePath+"/group_id",schemaPath:"#/properties/group_id/type",keyword:"type",params:{type: schema50.properties.group_id.type},message:"must be string,null"}];
return false;
}
if(errors === _errs20){
if(typeof data8 === "string"){
if(func1(data8) > 256){
validate176.errors = [{instancePath:instancePath+"/group_id",schemaPath:"#/properties/group_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func1(data8) < 1){
validate176.errors = [{instancePath:instancePath+"/group_id",schemaPath:"#/properties/group_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.step !== undefined){
let data9 = data.step;
const _errs22 = errors;
if((!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))) && (data9 !== null)){
validate176.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/type",keyword:"type",params:{type: schema50.properties.step.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs22){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 9007199254740991 || isNaN(data9)){
validate176.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data9 < 0 || isNaN(data9)){
validate176.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rollout_index !== undefined){
let data10 = data.rollout_index;
const _errs24 = errors;
if((!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))) && (data10 !== null)){
validate176.errors = [{instancePath:instancePath+"/rollout_index",schemaPath:"#/properties/rollout_index/type",keyword:"type",params:{type: schema50.properties.rollout_index.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs24){
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 9007199254740991 || isNaN(data10)){
validate176.errors = [{instancePath:instancePath+"/rollout_index",schemaPath:"#/properties/rollout_index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data10 < 0 || isNaN(data10)){
validate176.errors = [{instancePath:instancePath+"/rollout_index",schemaPath:"#/properties/rollout_index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.model !== undefined){
let data11 = data.model;
const _errs26 = errors;
if((typeof data11 !== "string") && (data11 !== null)){
validate176.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: schema50.properties.model.type},message:"must be string,null"}];
return false;
}
if(errors === _errs26){
if(typeof data11 === "string"){
if(func1(data11) > 256){
validate176.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
}
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tags !== undefined){
let data12 = data.tags;
const _errs28 = errors;
if(errors === _errs28){
if(Array.isArray(data12)){
if(data12.length > 100){
validate176.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data12.length;
for(let i0=0; i0<len0; i0++){
let data13 = data12[i0];
const _errs30 = errors;
if(errors === _errs30){
if(typeof data13 === "string"){
if(func1(data13) > 256){
validate176.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func1(data13) < 1){
validate176.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate176.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs30 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate176.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs32 = errors;
if(!(validate53(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs32 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.run_info !== undefined){
const _errs33 = errors;
if(!(validate53(data.run_info, {instancePath:instancePath+"/run_info",parentData:data,parentDataProperty:"run_info",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rollout_info !== undefined){
const _errs34 = errors;
if(!(validate53(data.rollout_info, {instancePath:instancePath+"/rollout_info",parentData:data,parentDataProperty:"rollout_info",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs34 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs35 = errors;
if(!(validate165(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate165.errors : vErrors.concat(validate165.errors);
errors = vErrors.length;
}
var valid0 = _errs35 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate176.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate176.errors = vErrors;
return errors === 0;
}
validate176.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition30 = validate183;
const schema51 = {"title":"TracePatch","description":"What may change of a trace: the fields given replace those of before.","type":"object","minProperties":1,"properties":{"name":{"description":"For people.","type":["string","null"],"maxLength":1024},"status":{"$ref":"#/$defs/TraceStatus"},"tags":{"type":"array","maxItems":100,"items":{"type":"string","minLength":1,"maxLength":256}},"metadata":{"$ref":"#/$defs/JSONObject"}},"additionalProperties":false};

function validate183(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate183.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
validate183.errors = [{instancePath,schemaPath:"#/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "name") || (key0 === "status")) || (key0 === "tags")) || (key0 === "metadata"))){
validate183.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.name !== undefined){
let data0 = data.name;
const _errs2 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate183.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema51.properties.name.type},message:"must be string,null"}];
return false;
}
if(errors === _errs2){
if(typeof data0 === "string"){
if(func1(data0) > 1024){
validate183.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs4 = errors;
if(!(validate165(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate165.errors : vErrors.concat(validate165.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tags !== undefined){
let data2 = data.tags;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 100){
validate183.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
const _errs7 = errors;
if(errors === _errs7){
if(typeof data3 === "string"){
if(func1(data3) > 256){
validate183.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func1(data3) < 1){
validate183.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate183.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs7 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate183.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs9 = errors;
if(!(validate53(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate183.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate183.errors = vErrors;
return errors === 0;
}
validate183.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition31 = validate186;
const schema52 = {"title":"AssembledResult","description":"The results of one call joined: the last output if there is one (complete), else the deltas in order (partial), else nothing yet (pending).","type":"object","required":["state","value","gaps"],"properties":{"state":{"enum":["complete","partial","pending"]},"value":{"$ref":"#/$defs/JSONValue"},"gaps":{"description":"Values of seq that are missing between 0 and the highest one of a delta, ascending; at most 1000.","type":"array","maxItems":1000,"items":{"type":"integer","minimum":0}},"more_gaps":{"description":"How many more are missing, where there are more than 1000.","type":"integer","minimum":1}},"additionalProperties":false};

function validate186(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate186.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.state === undefined) && (missing0 = "state")) || ((data.value === undefined) && (missing0 = "value"))) || ((data.gaps === undefined) && (missing0 = "gaps"))){
validate186.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "state") || (key0 === "value")) || (key0 === "gaps")) || (key0 === "more_gaps"))){
validate186.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.state !== undefined){
let data0 = data.state;
const _errs2 = errors;
if(!(((data0 === "complete") || (data0 === "partial")) || (data0 === "pending"))){
validate186.errors = [{instancePath:instancePath+"/state",schemaPath:"#/properties/state/enum",keyword:"enum",params:{allowedValues: schema52.properties.state.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
const _errs3 = errors;
if(!(validate54(data.value, {instancePath:instancePath+"/value",parentData:data,parentDataProperty:"value",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gaps !== undefined){
let data2 = data.gaps;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data2)){
if(data2.length > 1000){
validate186.errors = [{instancePath:instancePath+"/gaps",schemaPath:"#/properties/gaps/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
const _errs6 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate186.errors = [{instancePath:instancePath+"/gaps/" + i0,schemaPath:"#/properties/gaps/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs6){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validate186.errors = [{instancePath:instancePath+"/gaps/" + i0,schemaPath:"#/properties/gaps/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate186.errors = [{instancePath:instancePath+"/gaps",schemaPath:"#/properties/gaps/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.more_gaps !== undefined){
let data4 = data.more_gaps;
const _errs8 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate186.errors = [{instancePath:instancePath+"/more_gaps",schemaPath:"#/properties/more_gaps/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs8){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 1 || isNaN(data4)){
validate186.errors = [{instancePath:instancePath+"/more_gaps",schemaPath:"#/properties/more_gaps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate186.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate186.errors = vErrors;
return errors === 0;
}
validate186.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition32 = validate188;
const schema53 = {"title":"StitchedToolCall","description":"A tool call with its results, ordered by seq (null last), created_at, id.","type":"object","required":["id","trace_id","block_type","sub_type","payload","parent_block_id","metadata","raw","extra","created_at","updated_at","tool_results"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"trace_id":{"$ref":"#/$defs/TraceId"},"block_type":{"const":"ACT"},"sub_type":{"const":"TOOL_CALL"},"payload":{"$ref":"#/$defs/ToolCallPayload"},"parent_block_id":{"$ref":"#/$defs/BlockId"},"metadata":{"$ref":"#/$defs/JSONObject"},"raw":{"$ref":"#/$defs/JSONValue"},"extra":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]},"created_at":{"$ref":"#/$defs/Timestamp"},"updated_at":{"$ref":"#/$defs/Timestamp"},"tool_results":{"type":"array","items":{"$ref":"#/$defs/ToolResultBlock"}},"assembled":{"$ref":"#/$defs/AssembledResult"}},"additionalProperties":false};

function validate188(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate188.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((data.id === undefined) && (missing0 = "id")) || ((data.trace_id === undefined) && (missing0 = "trace_id"))) || ((data.block_type === undefined) && (missing0 = "block_type"))) || ((data.sub_type === undefined) && (missing0 = "sub_type"))) || ((data.payload === undefined) && (missing0 = "payload"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))) || ((data.metadata === undefined) && (missing0 = "metadata"))) || ((data.raw === undefined) && (missing0 = "raw"))) || ((data.extra === undefined) && (missing0 = "extra"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.updated_at === undefined) && (missing0 = "updated_at"))) || ((data.tool_results === undefined) && (missing0 = "tool_results"))){
validate188.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema53.properties, key0))){
validate188.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
const _errs3 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
const _errs4 = errors;
if("ACT" !== data.block_type){
validate188.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/const",keyword:"const",params:{allowedValue: "ACT"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs5 = errors;
if("TOOL_CALL" !== data.sub_type){
validate188.errors = [{instancePath:instancePath+"/sub_type",schemaPath:"#/properties/sub_type/const",keyword:"const",params:{allowedValue: "TOOL_CALL"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payload !== undefined){
const _errs6 = errors;
if(!(validate68(data.payload, {instancePath:instancePath+"/payload",parentData:data,parentDataProperty:"payload",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
const _errs7 = errors;
if(!(validate60(data.parent_block_id, {instancePath:instancePath+"/parent_block_id",parentData:data,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs8 = errors;
if(!(validate53(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
const _errs9 = errors;
if(!(validate54(data.raw, {instancePath:instancePath+"/raw",parentData:data,parentDataProperty:"raw",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extra !== undefined){
let data8 = data.extra;
const _errs10 = errors;
const _errs11 = errors;
let valid1 = false;
const _errs12 = errors;
if(!(validate53(data8, {instancePath:instancePath+"/extra",parentData:data,parentDataProperty:"extra",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
const _errs13 = errors;
if(data8 !== null){
const err0 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs13 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate188.errors = vErrors;
return false;
}
else {
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs15 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updated_at !== undefined){
const _errs16 = errors;
if(!(validate62(data.updated_at, {instancePath:instancePath+"/updated_at",parentData:data,parentDataProperty:"updated_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_results !== undefined){
let data11 = data.tool_results;
const _errs17 = errors;
if(errors === _errs17){
if(Array.isArray(data11)){
var valid2 = true;
const len0 = data11.length;
for(let i0=0; i0<len0; i0++){
const _errs19 = errors;
if(!(validate150(data11[i0], {instancePath:instancePath+"/tool_results/" + i0,parentData:data11,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate150.errors : vErrors.concat(validate150.errors);
errors = vErrors.length;
}
var valid2 = _errs19 === errors;
if(!valid2){
break;
}
}
}
else {
validate188.errors = [{instancePath:instancePath+"/tool_results",schemaPath:"#/properties/tool_results/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.assembled !== undefined){
const _errs20 = errors;
if(!(validate186(data.assembled, {instancePath:instancePath+"/assembled",parentData:data,parentDataProperty:"assembled",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate186.errors : vErrors.concat(validate186.errors);
errors = vErrors.length;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate188.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate188.errors = vErrors;
return errors === 0;
}
validate188.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition33 = validate200;
const schema54 = {"title":"StitchedMessage","description":"A message with its thoughts and tool calls. The child_order keeps how the two interleave.","type":"object","required":["id","trace_id","block_type","sub_type","payload","parent_block_id","metadata","raw","extra","created_at","updated_at","thinks","tool_calls","child_order"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"trace_id":{"$ref":"#/$defs/TraceId"},"block_type":{"const":"MESSAGE"},"sub_type":{"const":"MESSAGE"},"payload":{"$ref":"#/$defs/MessagePayload"},"parent_block_id":{"type":"null"},"metadata":{"$ref":"#/$defs/JSONObject"},"raw":{"$ref":"#/$defs/JSONValue"},"extra":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]},"created_at":{"$ref":"#/$defs/Timestamp"},"updated_at":{"$ref":"#/$defs/Timestamp"},"thinks":{"type":"array","items":{"$ref":"#/$defs/ThinkBlock"}},"tool_calls":{"type":"array","items":{"$ref":"#/$defs/StitchedToolCall"}},"child_order":{"type":"array","items":{"$ref":"#/$defs/BlockId"}}},"additionalProperties":false};

function validate200(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate200.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((data.id === undefined) && (missing0 = "id")) || ((data.trace_id === undefined) && (missing0 = "trace_id"))) || ((data.block_type === undefined) && (missing0 = "block_type"))) || ((data.sub_type === undefined) && (missing0 = "sub_type"))) || ((data.payload === undefined) && (missing0 = "payload"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))) || ((data.metadata === undefined) && (missing0 = "metadata"))) || ((data.raw === undefined) && (missing0 = "raw"))) || ((data.extra === undefined) && (missing0 = "extra"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.updated_at === undefined) && (missing0 = "updated_at"))) || ((data.thinks === undefined) && (missing0 = "thinks"))) || ((data.tool_calls === undefined) && (missing0 = "tool_calls"))) || ((data.child_order === undefined) && (missing0 = "child_order"))){
validate200.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema54.properties, key0))){
validate200.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
const _errs3 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
const _errs4 = errors;
if("MESSAGE" !== data.block_type){
validate200.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/const",keyword:"const",params:{allowedValue: "MESSAGE"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs5 = errors;
if("MESSAGE" !== data.sub_type){
validate200.errors = [{instancePath:instancePath+"/sub_type",schemaPath:"#/properties/sub_type/const",keyword:"const",params:{allowedValue: "MESSAGE"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.payload !== undefined){
const _errs6 = errors;
if(!(validate65(data.payload, {instancePath:instancePath+"/payload",parentData:data,parentDataProperty:"payload",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
const _errs7 = errors;
if(data.parent_block_id !== null){
validate200.errors = [{instancePath:instancePath+"/parent_block_id",schemaPath:"#/properties/parent_block_id/type",keyword:"type",params:{type: "null"},message:"must be null"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs9 = errors;
if(!(validate53(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
const _errs10 = errors;
if(!(validate54(data.raw, {instancePath:instancePath+"/raw",parentData:data,parentDataProperty:"raw",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extra !== undefined){
let data8 = data.extra;
const _errs11 = errors;
const _errs12 = errors;
let valid1 = false;
const _errs13 = errors;
if(!(validate53(data8, {instancePath:instancePath+"/extra",parentData:data,parentDataProperty:"extra",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs13 === errors;
valid1 = valid1 || _valid0;
const _errs14 = errors;
if(data8 !== null){
const err0 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs14 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/extra",schemaPath:"#/properties/extra/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate200.errors = vErrors;
return false;
}
else {
errors = _errs12;
if(vErrors !== null){
if(_errs12){
vErrors.length = _errs12;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs16 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updated_at !== undefined){
const _errs17 = errors;
if(!(validate62(data.updated_at, {instancePath:instancePath+"/updated_at",parentData:data,parentDataProperty:"updated_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.thinks !== undefined){
let data11 = data.thinks;
const _errs18 = errors;
if(errors === _errs18){
if(Array.isArray(data11)){
var valid2 = true;
const len0 = data11.length;
for(let i0=0; i0<len0; i0++){
const _errs20 = errors;
if(!(validate140(data11[i0], {instancePath:instancePath+"/thinks/" + i0,parentData:data11,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate140.errors : vErrors.concat(validate140.errors);
errors = vErrors.length;
}
var valid2 = _errs20 === errors;
if(!valid2){
break;
}
}
}
else {
validate200.errors = [{instancePath:instancePath+"/thinks",schemaPath:"#/properties/thinks/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_calls !== undefined){
let data13 = data.tool_calls;
const _errs21 = errors;
if(errors === _errs21){
if(Array.isArray(data13)){
var valid3 = true;
const len1 = data13.length;
for(let i1=0; i1<len1; i1++){
const _errs23 = errors;
if(!(validate188(data13[i1], {instancePath:instancePath+"/tool_calls/" + i1,parentData:data13,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate188.errors : vErrors.concat(validate188.errors);
errors = vErrors.length;
}
var valid3 = _errs23 === errors;
if(!valid3){
break;
}
}
}
else {
validate200.errors = [{instancePath:instancePath+"/tool_calls",schemaPath:"#/properties/tool_calls/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.child_order !== undefined){
let data15 = data.child_order;
const _errs24 = errors;
if(errors === _errs24){
if(Array.isArray(data15)){
var valid4 = true;
const len2 = data15.length;
for(let i2=0; i2<len2; i2++){
const _errs26 = errors;
if(!(validate60(data15[i2], {instancePath:instancePath+"/child_order/" + i2,parentData:data15,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid4 = _errs26 === errors;
if(!valid4){
break;
}
}
}
else {
validate200.errors = [{instancePath:instancePath+"/child_order",schemaPath:"#/properties/child_order/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate200.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate200.errors = vErrors;
return errors === 0;
}
validate200.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition34 = validate212;
const schema55 = {"title":"Orphans","description":"Blocks whose parent is missing or of a wrong kind: all empty unless the data was damaged or restored. Results stay under their call, also when that call is an orphan.","type":"object","required":["tool_calls","tool_results","thinks"],"properties":{"tool_calls":{"type":"array","items":{"$ref":"#/$defs/StitchedToolCall"}},"tool_results":{"type":"array","items":{"$ref":"#/$defs/ToolResultBlock"}},"thinks":{"type":"array","items":{"$ref":"#/$defs/ThinkBlock"}}},"additionalProperties":false};

function validate212(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate212.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.tool_calls === undefined) && (missing0 = "tool_calls")) || ((data.tool_results === undefined) && (missing0 = "tool_results"))) || ((data.thinks === undefined) && (missing0 = "thinks"))){
validate212.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "tool_calls") || (key0 === "tool_results")) || (key0 === "thinks"))){
validate212.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.tool_calls !== undefined){
let data0 = data.tool_calls;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate188(data0[i0], {instancePath:instancePath+"/tool_calls/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate188.errors : vErrors.concat(validate188.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validate212.errors = [{instancePath:instancePath+"/tool_calls",schemaPath:"#/properties/tool_calls/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_results !== undefined){
let data2 = data.tool_results;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(validate150(data2[i1], {instancePath:instancePath+"/tool_results/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate150.errors : vErrors.concat(validate150.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
else {
validate212.errors = [{instancePath:instancePath+"/tool_results",schemaPath:"#/properties/tool_results/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.thinks !== undefined){
let data4 = data.thinks;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data4)){
var valid3 = true;
const len2 = data4.length;
for(let i2=0; i2<len2; i2++){
const _errs10 = errors;
if(!(validate140(data4[i2], {instancePath:instancePath+"/thinks/" + i2,parentData:data4,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate140.errors : vErrors.concat(validate140.errors);
errors = vErrors.length;
}
var valid3 = _errs10 === errors;
if(!valid3){
break;
}
}
}
else {
validate212.errors = [{instancePath:instancePath+"/thinks",schemaPath:"#/properties/thinks/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate212.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate212.errors = vErrors;
return errors === 0;
}
validate212.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition35 = validate216;
const schema56 = {"title":"Page","description":"Where the next page begins; null on the last one.","type":"object","required":["next_cursor"],"properties":{"next_cursor":{"type":["string","null"]}},"additionalProperties":false};

function validate216(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate216.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.next_cursor === undefined) && (missing0 = "next_cursor")){
validate216.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "next_cursor")){
validate216.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.next_cursor !== undefined){
let data0 = data.next_cursor;
if((typeof data0 !== "string") && (data0 !== null)){
validate216.errors = [{instancePath:instancePath+"/next_cursor",schemaPath:"#/properties/next_cursor/type",keyword:"type",params:{type: schema56.properties.next_cursor.type},message:"must be string,null"}];
return false;
}
}
}
}
}
else {
validate216.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate216.errors = vErrors;
return errors === 0;
}
validate216.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition36 = validate217;
const schema57 = {"title":"TraceList","description":"One page of traces.","type":"object","required":["traces","page"],"properties":{"traces":{"type":"array","items":{"$ref":"#/$defs/Trace"}},"page":{"$ref":"#/$defs/Page"}},"additionalProperties":false};

function validate217(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate217.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.traces === undefined) && (missing0 = "traces")) || ((data.page === undefined) && (missing0 = "page"))){
validate217.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "traces") || (key0 === "page"))){
validate217.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.traces !== undefined){
let data0 = data.traces;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate166(data0[i0], {instancePath:instancePath+"/traces/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate166.errors : vErrors.concat(validate166.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validate217.errors = [{instancePath:instancePath+"/traces",schemaPath:"#/properties/traces/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.page !== undefined){
const _errs5 = errors;
if(!(validate216(data.page, {instancePath:instancePath+"/page",parentData:data,parentDataProperty:"page",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate216.errors : vErrors.concat(validate216.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate217.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate217.errors = vErrors;
return errors === 0;
}
validate217.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition37 = validate220;
const schema58 = {"title":"BlockBatch","description":"Blocks that are written all or none.","type":"object","required":["blocks"],"properties":{"blocks":{"type":"array","minItems":1,"maxItems":1000,"items":{"$ref":"#/$defs/BlockInput"}}},"additionalProperties":false};

function validate220(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate220.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.blocks === undefined) && (missing0 = "blocks")){
validate220.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "blocks")){
validate220.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.blocks !== undefined){
let data0 = data.blocks;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 1000){
validate220.errors = [{instancePath:instancePath+"/blocks",schemaPath:"#/properties/blocks/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"}];
return false;
}
else {
if(data0.length < 1){
validate220.errors = [{instancePath:instancePath+"/blocks",schemaPath:"#/properties/blocks/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate116(data0[i0], {instancePath:instancePath+"/blocks/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate220.errors = [{instancePath:instancePath+"/blocks",schemaPath:"#/properties/blocks/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
}
else {
validate220.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate220.errors = vErrors;
return errors === 0;
}
validate220.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition38 = validate222;
const schema59 = {"title":"BlockWrite","description":"One block, or up to 1000 that are written all or none; a block may name one before it as its parent.","oneOf":[{"$ref":"#/$defs/BlockInput"},{"$ref":"#/$defs/BlockBatch"}]};

function validate222(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate222.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate116(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
else {
var props0 = validate116.evaluated.props;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs2 = errors;
if(!(validate220(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate220.errors : vErrors.concat(validate220.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = true;
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate222.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate222.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate222.evaluated = {"dynamicProps":true,"dynamicItems":false};

const definition39 = validate225;
const schema60 = {"title":"BlockReceipt","description":"Says that a block is on disk.","type":"object","required":["id","created_at","replayed"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"created_at":{"$ref":"#/$defs/Timestamp"},"replayed":{"description":"Whether it was there before, with the same content.","type":"boolean"}},"additionalProperties":false};

function validate225(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate225.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.id === undefined) && (missing0 = "id")) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.replayed === undefined) && (missing0 = "replayed"))){
validate225.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "id") || (key0 === "created_at")) || (key0 === "replayed"))){
validate225.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs3 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.replayed !== undefined){
const _errs4 = errors;
if(typeof data.replayed !== "boolean"){
validate225.errors = [{instancePath:instancePath+"/replayed",schemaPath:"#/properties/replayed/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate225.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate225.errors = vErrors;
return errors === 0;
}
validate225.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition40 = validate228;
const schema61 = {"title":"BatchReceipt","description":"A receipt for each block of a batch, in its order.","type":"object","required":["blocks","count"],"properties":{"blocks":{"type":"array","items":{"$ref":"#/$defs/BlockReceipt"}},"count":{"type":"integer","minimum":1}},"additionalProperties":false};

function validate228(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate228.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.blocks === undefined) && (missing0 = "blocks")) || ((data.count === undefined) && (missing0 = "count"))){
validate228.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "blocks") || (key0 === "count"))){
validate228.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.blocks !== undefined){
let data0 = data.blocks;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate225(data0[i0], {instancePath:instancePath+"/blocks/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate225.errors : vErrors.concat(validate225.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validate228.errors = [{instancePath:instancePath+"/blocks",schemaPath:"#/properties/blocks/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.count !== undefined){
let data2 = data.count;
const _errs5 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate228.errors = [{instancePath:instancePath+"/count",schemaPath:"#/properties/count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs5){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 1 || isNaN(data2)){
validate228.errors = [{instancePath:instancePath+"/count",schemaPath:"#/properties/count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate228.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate228.errors = vErrors;
return errors === 0;
}
validate228.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition41 = validate230;
const schema62 = {"title":"DryRun","description":"What a write would come to: every block is valid, and nothing was stored.","type":"object","required":["valid","count"],"properties":{"valid":{"const":true},"count":{"type":"integer","minimum":1}},"additionalProperties":false};

function validate230(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate230.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.valid === undefined) && (missing0 = "valid")) || ((data.count === undefined) && (missing0 = "count"))){
validate230.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "valid") || (key0 === "count"))){
validate230.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.valid !== undefined){
const _errs2 = errors;
if(true !== data.valid){
validate230.errors = [{instancePath:instancePath+"/valid",schemaPath:"#/properties/valid/const",keyword:"const",params:{allowedValue: true},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.count !== undefined){
let data1 = data.count;
const _errs3 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate230.errors = [{instancePath:instancePath+"/count",schemaPath:"#/properties/count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
validate230.errors = [{instancePath:instancePath+"/count",schemaPath:"#/properties/count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate230.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate230.errors = vErrors;
return errors === 0;
}
validate230.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition42 = validate231;
const schema63 = {"title":"BlockSkeleton","description":"A block without its payload: enough for an outline of a long trace.","type":"object","required":["id","block_type","sub_type","parent_block_id","call_id","seq","name","role","bytes","reward","is_error","preview","created_at"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"block_type":{"enum":["MESSAGE","ACT","OBSERVE"]},"sub_type":{"$ref":"#/$defs/SubType"},"parent_block_id":{"anyOf":[{"$ref":"#/$defs/BlockId"},{"type":"null"}]},"call_id":{"type":["string","null"]},"seq":{"type":["integer","null"],"minimum":0},"name":{"description":"Of the tool, for a TOOL_CALL.","type":["string","null"]},"role":{"description":"Of a MESSAGE.","type":["string","null"]},"bytes":{"description":"Stored bytes.","type":"integer","minimum":0},"reward":{"description":"extra.reward.","type":["number","null"]},"is_error":{"description":"Whether it is a tool result that reports a failure.","type":"boolean"},"preview":{"description":"The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`.","type":"string","maxLength":120},"created_at":{"$ref":"#/$defs/Timestamp"}},"additionalProperties":false};

function validate231(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate231.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((((data.id === undefined) && (missing0 = "id")) || ((data.block_type === undefined) && (missing0 = "block_type"))) || ((data.sub_type === undefined) && (missing0 = "sub_type"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))) || ((data.call_id === undefined) && (missing0 = "call_id"))) || ((data.seq === undefined) && (missing0 = "seq"))) || ((data.name === undefined) && (missing0 = "name"))) || ((data.role === undefined) && (missing0 = "role"))) || ((data.bytes === undefined) && (missing0 = "bytes"))) || ((data.reward === undefined) && (missing0 = "reward"))) || ((data.is_error === undefined) && (missing0 = "is_error"))) || ((data.preview === undefined) && (missing0 = "preview"))) || ((data.created_at === undefined) && (missing0 = "created_at"))){
validate231.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema63.properties, key0))){
validate231.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
let data1 = data.block_type;
const _errs3 = errors;
if(!(((data1 === "MESSAGE") || (data1 === "ACT")) || (data1 === "OBSERVE"))){
validate231.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/enum",keyword:"enum",params:{allowedValues: schema63.properties.block_type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs4 = errors;
if(!(validate63(data.sub_type, {instancePath:instancePath+"/sub_type",parentData:data,parentDataProperty:"sub_type",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
let data3 = data.parent_block_id;
const _errs5 = errors;
const _errs6 = errors;
let valid1 = false;
const _errs7 = errors;
if(!(validate60(data3, {instancePath:instancePath+"/parent_block_id",parentData:data,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var _valid0 = _errs7 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(data3 !== null){
const err0 = {instancePath:instancePath+"/parent_block_id",schemaPath:"#/properties/parent_block_id/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/parent_block_id",schemaPath:"#/properties/parent_block_id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate231.errors = vErrors;
return false;
}
else {
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.call_id !== undefined){
let data4 = data.call_id;
const _errs10 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate231.errors = [{instancePath:instancePath+"/call_id",schemaPath:"#/properties/call_id/type",keyword:"type",params:{type: schema63.properties.call_id.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seq !== undefined){
let data5 = data.seq;
const _errs12 = errors;
if((!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))) && (data5 !== null)){
validate231.errors = [{instancePath:instancePath+"/seq",schemaPath:"#/properties/seq/type",keyword:"type",params:{type: schema63.properties.seq.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs12){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
validate231.errors = [{instancePath:instancePath+"/seq",schemaPath:"#/properties/seq/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data6 = data.name;
const _errs14 = errors;
if((typeof data6 !== "string") && (data6 !== null)){
validate231.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema63.properties.name.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.role !== undefined){
let data7 = data.role;
const _errs16 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate231.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: schema63.properties.role.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.bytes !== undefined){
let data8 = data.bytes;
const _errs18 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate231.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs18){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
validate231.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward !== undefined){
let data9 = data.reward;
const _errs20 = errors;
if((!((typeof data9 == "number") && (isFinite(data9)))) && (data9 !== null)){
validate231.errors = [{instancePath:instancePath+"/reward",schemaPath:"#/properties/reward/type",keyword:"type",params:{type: schema63.properties.reward.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.is_error !== undefined){
const _errs22 = errors;
if(typeof data.is_error !== "boolean"){
validate231.errors = [{instancePath:instancePath+"/is_error",schemaPath:"#/properties/is_error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.preview !== undefined){
let data11 = data.preview;
const _errs24 = errors;
if(errors === _errs24){
if(typeof data11 === "string"){
if(func1(data11) > 120){
validate231.errors = [{instancePath:instancePath+"/preview",schemaPath:"#/properties/preview/maxLength",keyword:"maxLength",params:{limit: 120},message:"must NOT have more than 120 characters"}];
return false;
}
}
else {
validate231.errors = [{instancePath:instancePath+"/preview",schemaPath:"#/properties/preview/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs26 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate231.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate231.errors = vErrors;
return errors === 0;
}
validate231.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition43 = validate236;
const schema64 = {"title":"SkeletonToolCall","description":"The outline of a tool call with its results.","type":"object","required":["id","block_type","sub_type","parent_block_id","call_id","seq","name","role","bytes","reward","is_error","preview","created_at","tool_results"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"block_type":{"enum":["MESSAGE","ACT","OBSERVE"]},"sub_type":{"$ref":"#/$defs/SubType"},"parent_block_id":{"anyOf":[{"$ref":"#/$defs/BlockId"},{"type":"null"}]},"call_id":{"type":["string","null"]},"seq":{"type":["integer","null"],"minimum":0},"name":{"description":"Of the tool, for a TOOL_CALL.","type":["string","null"]},"role":{"description":"Of a MESSAGE.","type":["string","null"]},"bytes":{"description":"Stored bytes.","type":"integer","minimum":0},"reward":{"description":"extra.reward.","type":["number","null"]},"is_error":{"description":"Whether it is a tool result that reports a failure.","type":"boolean"},"preview":{"description":"The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`.","type":"string","maxLength":120},"created_at":{"$ref":"#/$defs/Timestamp"},"tool_results":{"type":"array","items":{"$ref":"#/$defs/BlockSkeleton"}}},"additionalProperties":false};

function validate236(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate236.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((data.id === undefined) && (missing0 = "id")) || ((data.block_type === undefined) && (missing0 = "block_type"))) || ((data.sub_type === undefined) && (missing0 = "sub_type"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))) || ((data.call_id === undefined) && (missing0 = "call_id"))) || ((data.seq === undefined) && (missing0 = "seq"))) || ((data.name === undefined) && (missing0 = "name"))) || ((data.role === undefined) && (missing0 = "role"))) || ((data.bytes === undefined) && (missing0 = "bytes"))) || ((data.reward === undefined) && (missing0 = "reward"))) || ((data.is_error === undefined) && (missing0 = "is_error"))) || ((data.preview === undefined) && (missing0 = "preview"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.tool_results === undefined) && (missing0 = "tool_results"))){
validate236.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema64.properties, key0))){
validate236.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
let data1 = data.block_type;
const _errs3 = errors;
if(!(((data1 === "MESSAGE") || (data1 === "ACT")) || (data1 === "OBSERVE"))){
validate236.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/enum",keyword:"enum",params:{allowedValues: schema64.properties.block_type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs4 = errors;
if(!(validate63(data.sub_type, {instancePath:instancePath+"/sub_type",parentData:data,parentDataProperty:"sub_type",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
let data3 = data.parent_block_id;
const _errs5 = errors;
const _errs6 = errors;
let valid1 = false;
const _errs7 = errors;
if(!(validate60(data3, {instancePath:instancePath+"/parent_block_id",parentData:data,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var _valid0 = _errs7 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(data3 !== null){
const err0 = {instancePath:instancePath+"/parent_block_id",schemaPath:"#/properties/parent_block_id/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/parent_block_id",schemaPath:"#/properties/parent_block_id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate236.errors = vErrors;
return false;
}
else {
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.call_id !== undefined){
let data4 = data.call_id;
const _errs10 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate236.errors = [{instancePath:instancePath+"/call_id",schemaPath:"#/properties/call_id/type",keyword:"type",params:{type: schema64.properties.call_id.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seq !== undefined){
let data5 = data.seq;
const _errs12 = errors;
if((!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))) && (data5 !== null)){
validate236.errors = [{instancePath:instancePath+"/seq",schemaPath:"#/properties/seq/type",keyword:"type",params:{type: schema64.properties.seq.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs12){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
validate236.errors = [{instancePath:instancePath+"/seq",schemaPath:"#/properties/seq/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data6 = data.name;
const _errs14 = errors;
if((typeof data6 !== "string") && (data6 !== null)){
validate236.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema64.properties.name.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.role !== undefined){
let data7 = data.role;
const _errs16 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate236.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: schema64.properties.role.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.bytes !== undefined){
let data8 = data.bytes;
const _errs18 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate236.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs18){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
validate236.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward !== undefined){
let data9 = data.reward;
const _errs20 = errors;
if((!((typeof data9 == "number") && (isFinite(data9)))) && (data9 !== null)){
validate236.errors = [{instancePath:instancePath+"/reward",schemaPath:"#/properties/reward/type",keyword:"type",params:{type: schema64.properties.reward.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.is_error !== undefined){
const _errs22 = errors;
if(typeof data.is_error !== "boolean"){
validate236.errors = [{instancePath:instancePath+"/is_error",schemaPath:"#/properties/is_error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.preview !== undefined){
let data11 = data.preview;
const _errs24 = errors;
if(errors === _errs24){
if(typeof data11 === "string"){
if(func1(data11) > 120){
validate236.errors = [{instancePath:instancePath+"/preview",schemaPath:"#/properties/preview/maxLength",keyword:"maxLength",params:{limit: 120},message:"must NOT have more than 120 characters"}];
return false;
}
}
else {
validate236.errors = [{instancePath:instancePath+"/preview",schemaPath:"#/properties/preview/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs26 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_results !== undefined){
let data13 = data.tool_results;
const _errs27 = errors;
if(errors === _errs27){
if(Array.isArray(data13)){
var valid2 = true;
const len0 = data13.length;
for(let i0=0; i0<len0; i0++){
const _errs29 = errors;
if(!(validate231(data13[i0], {instancePath:instancePath+"/tool_results/" + i0,parentData:data13,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate231.errors : vErrors.concat(validate231.errors);
errors = vErrors.length;
}
var valid2 = _errs29 === errors;
if(!valid2){
break;
}
}
}
else {
validate236.errors = [{instancePath:instancePath+"/tool_results",schemaPath:"#/properties/tool_results/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate236.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate236.errors = vErrors;
return errors === 0;
}
validate236.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition44 = validate242;
const schema65 = {"title":"SkeletonMessage","description":"The outline of a message with its thoughts and tool calls.","type":"object","required":["id","block_type","sub_type","parent_block_id","call_id","seq","name","role","bytes","reward","is_error","preview","created_at","thinks","tool_calls","child_order"],"properties":{"id":{"$ref":"#/$defs/BlockId"},"block_type":{"enum":["MESSAGE","ACT","OBSERVE"]},"sub_type":{"$ref":"#/$defs/SubType"},"parent_block_id":{"anyOf":[{"$ref":"#/$defs/BlockId"},{"type":"null"}]},"call_id":{"type":["string","null"]},"seq":{"type":["integer","null"],"minimum":0},"name":{"description":"Of the tool, for a TOOL_CALL.","type":["string","null"]},"role":{"description":"Of a MESSAGE.","type":["string","null"]},"bytes":{"description":"Stored bytes.","type":"integer","minimum":0},"reward":{"description":"extra.reward.","type":["number","null"]},"is_error":{"description":"Whether it is a tool result that reports a failure.","type":"boolean"},"preview":{"description":"The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`.","type":"string","maxLength":120},"created_at":{"$ref":"#/$defs/Timestamp"},"thinks":{"type":"array","items":{"$ref":"#/$defs/BlockSkeleton"}},"tool_calls":{"type":"array","items":{"$ref":"#/$defs/SkeletonToolCall"}},"child_order":{"type":"array","items":{"$ref":"#/$defs/BlockId"}}},"additionalProperties":false};

function validate242(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate242.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((((data.id === undefined) && (missing0 = "id")) || ((data.block_type === undefined) && (missing0 = "block_type"))) || ((data.sub_type === undefined) && (missing0 = "sub_type"))) || ((data.parent_block_id === undefined) && (missing0 = "parent_block_id"))) || ((data.call_id === undefined) && (missing0 = "call_id"))) || ((data.seq === undefined) && (missing0 = "seq"))) || ((data.name === undefined) && (missing0 = "name"))) || ((data.role === undefined) && (missing0 = "role"))) || ((data.bytes === undefined) && (missing0 = "bytes"))) || ((data.reward === undefined) && (missing0 = "reward"))) || ((data.is_error === undefined) && (missing0 = "is_error"))) || ((data.preview === undefined) && (missing0 = "preview"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.thinks === undefined) && (missing0 = "thinks"))) || ((data.tool_calls === undefined) && (missing0 = "tool_calls"))) || ((data.child_order === undefined) && (missing0 = "child_order"))){
validate242.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema65.properties, key0))){
validate242.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate60(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_type !== undefined){
let data1 = data.block_type;
const _errs3 = errors;
if(!(((data1 === "MESSAGE") || (data1 === "ACT")) || (data1 === "OBSERVE"))){
validate242.errors = [{instancePath:instancePath+"/block_type",schemaPath:"#/properties/block_type/enum",keyword:"enum",params:{allowedValues: schema65.properties.block_type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sub_type !== undefined){
const _errs4 = errors;
if(!(validate63(data.sub_type, {instancePath:instancePath+"/sub_type",parentData:data,parentDataProperty:"sub_type",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_block_id !== undefined){
let data3 = data.parent_block_id;
const _errs5 = errors;
const _errs6 = errors;
let valid1 = false;
const _errs7 = errors;
if(!(validate60(data3, {instancePath:instancePath+"/parent_block_id",parentData:data,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var _valid0 = _errs7 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(data3 !== null){
const err0 = {instancePath:instancePath+"/parent_block_id",schemaPath:"#/properties/parent_block_id/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/parent_block_id",schemaPath:"#/properties/parent_block_id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate242.errors = vErrors;
return false;
}
else {
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.call_id !== undefined){
let data4 = data.call_id;
const _errs10 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate242.errors = [{instancePath:instancePath+"/call_id",schemaPath:"#/properties/call_id/type",keyword:"type",params:{type: schema65.properties.call_id.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.seq !== undefined){
let data5 = data.seq;
const _errs12 = errors;
if((!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))) && (data5 !== null)){
validate242.errors = [{instancePath:instancePath+"/seq",schemaPath:"#/properties/seq/type",keyword:"type",params:{type: schema65.properties.seq.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs12){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
validate242.errors = [{instancePath:instancePath+"/seq",schemaPath:"#/properties/seq/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data6 = data.name;
const _errs14 = errors;
if((typeof data6 !== "string") && (data6 !== null)){
validate242.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema65.properties.name.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.role !== undefined){
let data7 = data.role;
const _errs16 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate242.errors = [{instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: schema65.properties.role.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.bytes !== undefined){
let data8 = data.bytes;
const _errs18 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate242.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs18){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
validate242.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward !== undefined){
let data9 = data.reward;
const _errs20 = errors;
if((!((typeof data9 == "number") && (isFinite(data9)))) && (data9 !== null)){
validate242.errors = [{instancePath:instancePath+"/reward",schemaPath:"#/properties/reward/type",keyword:"type",params:{type: schema65.properties.reward.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.is_error !== undefined){
const _errs22 = errors;
if(typeof data.is_error !== "boolean"){
validate242.errors = [{instancePath:instancePath+"/is_error",schemaPath:"#/properties/is_error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.preview !== undefined){
let data11 = data.preview;
const _errs24 = errors;
if(errors === _errs24){
if(typeof data11 === "string"){
if(func1(data11) > 120){
validate242.errors = [{instancePath:instancePath+"/preview",schemaPath:"#/properties/preview/maxLength",keyword:"maxLength",params:{limit: 120},message:"must NOT have more than 120 characters"}];
return false;
}
}
else {
validate242.errors = [{instancePath:instancePath+"/preview",schemaPath:"#/properties/preview/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs26 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.thinks !== undefined){
let data13 = data.thinks;
const _errs27 = errors;
if(errors === _errs27){
if(Array.isArray(data13)){
var valid2 = true;
const len0 = data13.length;
for(let i0=0; i0<len0; i0++){
const _errs29 = errors;
if(!(validate231(data13[i0], {instancePath:instancePath+"/thinks/" + i0,parentData:data13,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate231.errors : vErrors.concat(validate231.errors);
errors = vErrors.length;
}
var valid2 = _errs29 === errors;
if(!valid2){
break;
}
}
}
else {
validate242.errors = [{instancePath:instancePath+"/thinks",schemaPath:"#/properties/thinks/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_calls !== undefined){
let data15 = data.tool_calls;
const _errs30 = errors;
if(errors === _errs30){
if(Array.isArray(data15)){
var valid3 = true;
const len1 = data15.length;
for(let i1=0; i1<len1; i1++){
const _errs32 = errors;
if(!(validate236(data15[i1], {instancePath:instancePath+"/tool_calls/" + i1,parentData:data15,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate236.errors : vErrors.concat(validate236.errors);
errors = vErrors.length;
}
var valid3 = _errs32 === errors;
if(!valid3){
break;
}
}
}
else {
validate242.errors = [{instancePath:instancePath+"/tool_calls",schemaPath:"#/properties/tool_calls/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.child_order !== undefined){
let data17 = data.child_order;
const _errs33 = errors;
if(errors === _errs33){
if(Array.isArray(data17)){
var valid4 = true;
const len2 = data17.length;
for(let i2=0; i2<len2; i2++){
const _errs35 = errors;
if(!(validate60(data17[i2], {instancePath:instancePath+"/child_order/" + i2,parentData:data17,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid4 = _errs35 === errors;
if(!valid4){
break;
}
}
}
else {
validate242.errors = [{instancePath:instancePath+"/child_order",schemaPath:"#/properties/child_order/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate242.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate242.errors = vErrors;
return errors === 0;
}
validate242.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition45 = validate250;
const schema66 = {"title":"SkeletonOrphans","description":"Outlines of blocks whose parent is missing or of a wrong kind.","type":"object","required":["tool_calls","tool_results","thinks"],"properties":{"tool_calls":{"type":"array","items":{"$ref":"#/$defs/SkeletonToolCall"}},"tool_results":{"type":"array","items":{"$ref":"#/$defs/BlockSkeleton"}},"thinks":{"type":"array","items":{"$ref":"#/$defs/BlockSkeleton"}}},"additionalProperties":false};

function validate250(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate250.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.tool_calls === undefined) && (missing0 = "tool_calls")) || ((data.tool_results === undefined) && (missing0 = "tool_results"))) || ((data.thinks === undefined) && (missing0 = "thinks"))){
validate250.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "tool_calls") || (key0 === "tool_results")) || (key0 === "thinks"))){
validate250.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.tool_calls !== undefined){
let data0 = data.tool_calls;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate236(data0[i0], {instancePath:instancePath+"/tool_calls/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate236.errors : vErrors.concat(validate236.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validate250.errors = [{instancePath:instancePath+"/tool_calls",schemaPath:"#/properties/tool_calls/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tool_results !== undefined){
let data2 = data.tool_results;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
const _errs7 = errors;
if(!(validate231(data2[i1], {instancePath:instancePath+"/tool_results/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate231.errors : vErrors.concat(validate231.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
else {
validate250.errors = [{instancePath:instancePath+"/tool_results",schemaPath:"#/properties/tool_results/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.thinks !== undefined){
let data4 = data.thinks;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data4)){
var valid3 = true;
const len2 = data4.length;
for(let i2=0; i2<len2; i2++){
const _errs10 = errors;
if(!(validate231(data4[i2], {instancePath:instancePath+"/thinks/" + i2,parentData:data4,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate231.errors : vErrors.concat(validate231.errors);
errors = vErrors.length;
}
var valid3 = _errs10 === errors;
if(!valid3){
break;
}
}
}
else {
validate250.errors = [{instancePath:instancePath+"/thinks",schemaPath:"#/properties/thinks/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate250.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate250.errors = vErrors;
return errors === 0;
}
validate250.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition46 = validate254;
const schema67 = {"title":"StitchedSkeleton","description":"A trace as a tree without payloads.","type":"object","required":["trace","messages","orphans","page"],"properties":{"trace":{"$ref":"#/$defs/Trace"},"messages":{"type":"array","items":{"$ref":"#/$defs/SkeletonMessage"}},"orphans":{"$ref":"#/$defs/SkeletonOrphans"},"page":{"$ref":"#/$defs/Page"}},"additionalProperties":false};

function validate254(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate254.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.trace === undefined) && (missing0 = "trace")) || ((data.messages === undefined) && (missing0 = "messages"))) || ((data.orphans === undefined) && (missing0 = "orphans"))) || ((data.page === undefined) && (missing0 = "page"))){
validate254.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "trace") || (key0 === "messages")) || (key0 === "orphans")) || (key0 === "page"))){
validate254.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.trace !== undefined){
const _errs2 = errors;
if(!(validate166(data.trace, {instancePath:instancePath+"/trace",parentData:data,parentDataProperty:"trace",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate166.errors : vErrors.concat(validate166.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messages !== undefined){
let data1 = data.messages;
const _errs3 = errors;
if(errors === _errs3){
if(Array.isArray(data1)){
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs5 = errors;
if(!(validate242(data1[i0], {instancePath:instancePath+"/messages/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate242.errors : vErrors.concat(validate242.errors);
errors = vErrors.length;
}
var valid1 = _errs5 === errors;
if(!valid1){
break;
}
}
}
else {
validate254.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.orphans !== undefined){
const _errs6 = errors;
if(!(validate250(data.orphans, {instancePath:instancePath+"/orphans",parentData:data,parentDataProperty:"orphans",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate250.errors : vErrors.concat(validate250.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.page !== undefined){
const _errs7 = errors;
if(!(validate216(data.page, {instancePath:instancePath+"/page",parentData:data,parentDataProperty:"page",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate216.errors : vErrors.concat(validate216.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate254.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate254.errors = vErrors;
return errors === 0;
}
validate254.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition47 = validate259;
const schema68 = {"title":"BlockList","description":"One page of the blocks of a trace, in the order in which they were written.","type":"object","required":["blocks","page"],"properties":{"blocks":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/Block"},{"$ref":"#/$defs/BlockSkeleton"}]}},"page":{"$ref":"#/$defs/Page"}},"additionalProperties":false};

function validate259(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate259.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.blocks === undefined) && (missing0 = "blocks")) || ((data.page === undefined) && (missing0 = "page"))){
validate259.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "blocks") || (key0 === "page"))){
validate259.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.blocks !== undefined){
let data0 = data.blocks;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs4 = errors;
const _errs5 = errors;
let valid2 = false;
const _errs6 = errors;
if(!(validate160(data1, {instancePath:instancePath+"/blocks/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate160.errors : vErrors.concat(validate160.errors);
errors = vErrors.length;
}
else {
var props0 = validate160.evaluated.props;
}
var _valid0 = _errs6 === errors;
valid2 = valid2 || _valid0;
const _errs7 = errors;
if(!(validate231(data1, {instancePath:instancePath+"/blocks/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate231.errors : vErrors.concat(validate231.errors);
errors = vErrors.length;
}
var _valid0 = _errs7 === errors;
valid2 = valid2 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
if(!valid2){
const err0 = {instancePath:instancePath+"/blocks/" + i0,schemaPath:"#/properties/blocks/items/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate259.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validate259.errors = [{instancePath:instancePath+"/blocks",schemaPath:"#/properties/blocks/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.page !== undefined){
const _errs8 = errors;
if(!(validate216(data.page, {instancePath:instancePath+"/page",parentData:data,parentDataProperty:"page",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate216.errors : vErrors.concat(validate216.errors);
errors = vErrors.length;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate259.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate259.errors = vErrors;
return errors === 0;
}
validate259.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition48 = validate263;
const schema69 = {"title":"BlockHit","description":"A block that was found, and where.","type":"object","required":["trace_id","block","excerpt"],"properties":{"trace_id":{"$ref":"#/$defs/TraceId"},"block":{"$ref":"#/$defs/BlockSkeleton"},"excerpt":{"description":"What stands around the first place of the text that was searched for, at most 160 characters; null where none was.","type":["string","null"],"maxLength":160}},"additionalProperties":false};

function validate263(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate263.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.trace_id === undefined) && (missing0 = "trace_id")) || ((data.block === undefined) && (missing0 = "block"))) || ((data.excerpt === undefined) && (missing0 = "excerpt"))){
validate263.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "trace_id") || (key0 === "block")) || (key0 === "excerpt"))){
validate263.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.trace_id !== undefined){
const _errs2 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block !== undefined){
const _errs3 = errors;
if(!(validate231(data.block, {instancePath:instancePath+"/block",parentData:data,parentDataProperty:"block",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate231.errors : vErrors.concat(validate231.errors);
errors = vErrors.length;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.excerpt !== undefined){
let data2 = data.excerpt;
const _errs4 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate263.errors = [{instancePath:instancePath+"/excerpt",schemaPath:"#/properties/excerpt/type",keyword:"type",params:{type: schema69.properties.excerpt.type},message:"must be string,null"}];
return false;
}
if(errors === _errs4){
if(typeof data2 === "string"){
if(func1(data2) > 160){
validate263.errors = [{instancePath:instancePath+"/excerpt",schemaPath:"#/properties/excerpt/maxLength",keyword:"maxLength",params:{limit: 160},message:"must NOT have more than 160 characters"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate263.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate263.errors = vErrors;
return errors === 0;
}
validate263.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition49 = validate266;
const schema70 = {"title":"BlockHitList","description":"One page of blocks that were found, those of the newest trace first.","type":"object","required":["hits","page"],"properties":{"hits":{"type":"array","items":{"$ref":"#/$defs/BlockHit"}},"page":{"$ref":"#/$defs/Page"}},"additionalProperties":false};

function validate266(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate266.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.hits === undefined) && (missing0 = "hits")) || ((data.page === undefined) && (missing0 = "page"))){
validate266.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "hits") || (key0 === "page"))){
validate266.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.hits !== undefined){
let data0 = data.hits;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate263(data0[i0], {instancePath:instancePath+"/hits/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate263.errors : vErrors.concat(validate263.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validate266.errors = [{instancePath:instancePath+"/hits",schemaPath:"#/properties/hits/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.page !== undefined){
const _errs5 = errors;
if(!(validate216(data.page, {instancePath:instancePath+"/page",parentData:data,parentDataProperty:"page",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate216.errors : vErrors.concat(validate216.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate266.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate266.errors = vErrors;
return errors === 0;
}
validate266.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition50 = validate269;
const schema71 = {"title":"RewardSummary","description":"The reward_sum of some traces; those without any reward are in count_without. All null where none has one.","type":"object","required":["count","count_without","mean","std","min","max"],"properties":{"count":{"type":"integer","minimum":0},"count_without":{"type":"integer","minimum":0},"mean":{"type":["number","null"]},"std":{"description":"Population standard deviation.","type":["number","null"]},"min":{"type":["number","null"]},"max":{"type":["number","null"]}},"additionalProperties":false};

function validate269(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate269.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((data.count === undefined) && (missing0 = "count")) || ((data.count_without === undefined) && (missing0 = "count_without"))) || ((data.mean === undefined) && (missing0 = "mean"))) || ((data.std === undefined) && (missing0 = "std"))) || ((data.min === undefined) && (missing0 = "min"))) || ((data.max === undefined) && (missing0 = "max"))){
validate269.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "count") || (key0 === "count_without")) || (key0 === "mean")) || (key0 === "std")) || (key0 === "min")) || (key0 === "max"))){
validate269.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.count !== undefined){
let data0 = data.count;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate269.errors = [{instancePath:instancePath+"/count",schemaPath:"#/properties/count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate269.errors = [{instancePath:instancePath+"/count",schemaPath:"#/properties/count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.count_without !== undefined){
let data1 = data.count_without;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate269.errors = [{instancePath:instancePath+"/count_without",schemaPath:"#/properties/count_without/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate269.errors = [{instancePath:instancePath+"/count_without",schemaPath:"#/properties/count_without/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.mean !== undefined){
let data2 = data.mean;
const _errs6 = errors;
if((!((typeof data2 == "number") && (isFinite(data2)))) && (data2 !== null)){
validate269.errors = [{instancePath:instancePath+"/mean",schemaPath:"#/properties/mean/type",keyword:"type",params:{type: schema71.properties.mean.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.std !== undefined){
let data3 = data.std;
const _errs8 = errors;
if((!((typeof data3 == "number") && (isFinite(data3)))) && (data3 !== null)){
validate269.errors = [{instancePath:instancePath+"/std",schemaPath:"#/properties/std/type",keyword:"type",params:{type: schema71.properties.std.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.min !== undefined){
let data4 = data.min;
const _errs10 = errors;
if((!((typeof data4 == "number") && (isFinite(data4)))) && (data4 !== null)){
validate269.errors = [{instancePath:instancePath+"/min",schemaPath:"#/properties/min/type",keyword:"type",params:{type: schema71.properties.min.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max !== undefined){
let data5 = data.max;
const _errs12 = errors;
if((!((typeof data5 == "number") && (isFinite(data5)))) && (data5 !== null)){
validate269.errors = [{instancePath:instancePath+"/max",schemaPath:"#/properties/max/type",keyword:"type",params:{type: schema71.properties.max.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate269.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate269.errors = vErrors;
return errors === 0;
}
validate269.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition51 = validate270;
const schema72 = {"title":"Run","description":"All traces with one run name.","type":"object","required":["run","trace_count","block_count","bytes","error_count","status","reward","first_created_at","last_updated_at"],"properties":{"run":{"type":"string"},"trace_count":{"type":"integer","minimum":0},"block_count":{"type":"integer","minimum":0},"bytes":{"type":"integer","minimum":0},"error_count":{"description":"Traces with at least one failed tool call.","type":"integer","minimum":0},"status":{"description":"How many traces have each status.","type":"object","required":["running","finished","error","abandoned"],"properties":{"running":{"type":"integer","minimum":0},"finished":{"type":"integer","minimum":0},"error":{"type":"integer","minimum":0},"abandoned":{"type":"integer","minimum":0}},"additionalProperties":false},"reward":{"$ref":"#/$defs/RewardSummary"},"first_created_at":{"$ref":"#/$defs/Timestamp"},"last_updated_at":{"$ref":"#/$defs/Timestamp"}},"additionalProperties":false};

function validate270(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate270.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((data.run === undefined) && (missing0 = "run")) || ((data.trace_count === undefined) && (missing0 = "trace_count"))) || ((data.block_count === undefined) && (missing0 = "block_count"))) || ((data.bytes === undefined) && (missing0 = "bytes"))) || ((data.error_count === undefined) && (missing0 = "error_count"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.reward === undefined) && (missing0 = "reward"))) || ((data.first_created_at === undefined) && (missing0 = "first_created_at"))) || ((data.last_updated_at === undefined) && (missing0 = "last_updated_at"))){
validate270.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema72.properties, key0))){
validate270.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.run !== undefined){
const _errs2 = errors;
if(typeof data.run !== "string"){
validate270.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_count !== undefined){
let data1 = data.trace_count;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate270.errors = [{instancePath:instancePath+"/trace_count",schemaPath:"#/properties/trace_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate270.errors = [{instancePath:instancePath+"/trace_count",schemaPath:"#/properties/trace_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_count !== undefined){
let data2 = data.block_count;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate270.errors = [{instancePath:instancePath+"/block_count",schemaPath:"#/properties/block_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate270.errors = [{instancePath:instancePath+"/block_count",schemaPath:"#/properties/block_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.bytes !== undefined){
let data3 = data.bytes;
const _errs8 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate270.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs8){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validate270.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.error_count !== undefined){
let data4 = data.error_count;
const _errs10 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate270.errors = [{instancePath:instancePath+"/error_count",schemaPath:"#/properties/error_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs10){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
validate270.errors = [{instancePath:instancePath+"/error_count",schemaPath:"#/properties/error_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data5 = data.status;
const _errs12 = errors;
if(errors === _errs12){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing1;
if(((((data5.running === undefined) && (missing1 = "running")) || ((data5.finished === undefined) && (missing1 = "finished"))) || ((data5.error === undefined) && (missing1 = "error"))) || ((data5.abandoned === undefined) && (missing1 = "abandoned"))){
validate270.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs14 = errors;
for(const key1 in data5){
if(!((((key1 === "running") || (key1 === "finished")) || (key1 === "error")) || (key1 === "abandoned"))){
validate270.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs14 === errors){
if(data5.running !== undefined){
let data6 = data5.running;
const _errs15 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate270.errors = [{instancePath:instancePath+"/status/running",schemaPath:"#/properties/status/properties/running/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs15){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
validate270.errors = [{instancePath:instancePath+"/status/running",schemaPath:"#/properties/status/properties/running/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs15 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data5.finished !== undefined){
let data7 = data5.finished;
const _errs17 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate270.errors = [{instancePath:instancePath+"/status/finished",schemaPath:"#/properties/status/properties/finished/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs17){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 0 || isNaN(data7)){
validate270.errors = [{instancePath:instancePath+"/status/finished",schemaPath:"#/properties/status/properties/finished/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs17 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data5.error !== undefined){
let data8 = data5.error;
const _errs19 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate270.errors = [{instancePath:instancePath+"/status/error",schemaPath:"#/properties/status/properties/error/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs19){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
validate270.errors = [{instancePath:instancePath+"/status/error",schemaPath:"#/properties/status/properties/error/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs19 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data5.abandoned !== undefined){
let data9 = data5.abandoned;
const _errs21 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate270.errors = [{instancePath:instancePath+"/status/abandoned",schemaPath:"#/properties/status/properties/abandoned/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs21){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 < 0 || isNaN(data9)){
validate270.errors = [{instancePath:instancePath+"/status/abandoned",schemaPath:"#/properties/status/properties/abandoned/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs21 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
else {
validate270.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward !== undefined){
const _errs23 = errors;
if(!(validate269(data.reward, {instancePath:instancePath+"/reward",parentData:data,parentDataProperty:"reward",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate269.errors : vErrors.concat(validate269.errors);
errors = vErrors.length;
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.first_created_at !== undefined){
const _errs24 = errors;
if(!(validate62(data.first_created_at, {instancePath:instancePath+"/first_created_at",parentData:data,parentDataProperty:"first_created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.last_updated_at !== undefined){
const _errs25 = errors;
if(!(validate62(data.last_updated_at, {instancePath:instancePath+"/last_updated_at",parentData:data,parentDataProperty:"last_updated_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate270.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate270.errors = vErrors;
return errors === 0;
}
validate270.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition52 = validate274;
const schema73 = {"title":"RunList","description":"One page of runs, those that changed last first.","type":"object","required":["runs","page"],"properties":{"runs":{"type":"array","items":{"$ref":"#/$defs/Run"}},"page":{"$ref":"#/$defs/Page"}},"additionalProperties":false};

function validate274(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate274.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.runs === undefined) && (missing0 = "runs")) || ((data.page === undefined) && (missing0 = "page"))){
validate274.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "runs") || (key0 === "page"))){
validate274.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.runs !== undefined){
let data0 = data.runs;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate270(data0[i0], {instancePath:instancePath+"/runs/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate270.errors : vErrors.concat(validate270.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validate274.errors = [{instancePath:instancePath+"/runs",schemaPath:"#/properties/runs/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.page !== undefined){
const _errs5 = errors;
if(!(validate216(data.page, {instancePath:instancePath+"/page",parentData:data,parentDataProperty:"page",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate216.errors : vErrors.concat(validate216.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate274.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate274.errors = vErrors;
return errors === 0;
}
validate274.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition53 = validate277;
const schema74 = {"title":"StepStats","description":"The traces of one training step; step is null for those without.","type":"object","required":["step","trace_count","reward","histogram"],"properties":{"step":{"type":["integer","null"]},"trace_count":{"type":"integer","minimum":0},"reward":{"$ref":"#/$defs/RewardSummary"},"histogram":{"description":"How many rewards lie in each of the bins of the run; the edges are those of RunStats.","type":"array","items":{"type":"integer","minimum":0}}},"additionalProperties":false};

function validate277(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate277.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.step === undefined) && (missing0 = "step")) || ((data.trace_count === undefined) && (missing0 = "trace_count"))) || ((data.reward === undefined) && (missing0 = "reward"))) || ((data.histogram === undefined) && (missing0 = "histogram"))){
validate277.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "step") || (key0 === "trace_count")) || (key0 === "reward")) || (key0 === "histogram"))){
validate277.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.step !== undefined){
let data0 = data.step;
const _errs2 = errors;
if((!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))) && (data0 !== null)){
validate277.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/type",keyword:"type",params:{type: schema74.properties.step.type},message:"must be integer,null"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_count !== undefined){
let data1 = data.trace_count;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate277.errors = [{instancePath:instancePath+"/trace_count",schemaPath:"#/properties/trace_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate277.errors = [{instancePath:instancePath+"/trace_count",schemaPath:"#/properties/trace_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward !== undefined){
const _errs6 = errors;
if(!(validate269(data.reward, {instancePath:instancePath+"/reward",parentData:data,parentDataProperty:"reward",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate269.errors : vErrors.concat(validate269.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.histogram !== undefined){
let data3 = data.histogram;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data3)){
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs9 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate277.errors = [{instancePath:instancePath+"/histogram/" + i0,schemaPath:"#/properties/histogram/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs9){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
validate277.errors = [{instancePath:instancePath+"/histogram/" + i0,schemaPath:"#/properties/histogram/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs9 === errors;
if(!valid1){
break;
}
}
}
else {
validate277.errors = [{instancePath:instancePath+"/histogram",schemaPath:"#/properties/histogram/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate277.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate277.errors = vErrors;
return errors === 0;
}
validate277.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition54 = validate279;
const schema75 = {"title":"RunStats","description":"Rewards of a run, as a whole and by step.","type":"object","required":["run","edges","histogram","steps"],"properties":{"run":{"$ref":"#/$defs/Run"},"edges":{"description":"Edges of the bins, ascending; one more than there are bins. A bin holds its lower edge, the last both.","type":"array","items":{"type":"number"}},"histogram":{"type":"array","items":{"type":"integer","minimum":0}},"steps":{"type":"array","items":{"$ref":"#/$defs/StepStats"}}},"additionalProperties":false};

function validate279(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate279.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.run === undefined) && (missing0 = "run")) || ((data.edges === undefined) && (missing0 = "edges"))) || ((data.histogram === undefined) && (missing0 = "histogram"))) || ((data.steps === undefined) && (missing0 = "steps"))){
validate279.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "run") || (key0 === "edges")) || (key0 === "histogram")) || (key0 === "steps"))){
validate279.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.run !== undefined){
const _errs2 = errors;
if(!(validate270(data.run, {instancePath:instancePath+"/run",parentData:data,parentDataProperty:"run",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate270.errors : vErrors.concat(validate270.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.edges !== undefined){
let data1 = data.edges;
const _errs3 = errors;
if(errors === _errs3){
if(Array.isArray(data1)){
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs5 = errors;
if(!((typeof data2 == "number") && (isFinite(data2)))){
validate279.errors = [{instancePath:instancePath+"/edges/" + i0,schemaPath:"#/properties/edges/items/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid1 = _errs5 === errors;
if(!valid1){
break;
}
}
}
else {
validate279.errors = [{instancePath:instancePath+"/edges",schemaPath:"#/properties/edges/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.histogram !== undefined){
let data3 = data.histogram;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data3)){
var valid2 = true;
const len1 = data3.length;
for(let i1=0; i1<len1; i1++){
let data4 = data3[i1];
const _errs9 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate279.errors = [{instancePath:instancePath+"/histogram/" + i1,schemaPath:"#/properties/histogram/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs9){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
validate279.errors = [{instancePath:instancePath+"/histogram/" + i1,schemaPath:"#/properties/histogram/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
}
else {
validate279.errors = [{instancePath:instancePath+"/histogram",schemaPath:"#/properties/histogram/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.steps !== undefined){
let data5 = data.steps;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data5)){
var valid3 = true;
const len2 = data5.length;
for(let i2=0; i2<len2; i2++){
const _errs13 = errors;
if(!(validate277(data5[i2], {instancePath:instancePath+"/steps/" + i2,parentData:data5,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate277.errors : vErrors.concat(validate277.errors);
errors = vErrors.length;
}
var valid3 = _errs13 === errors;
if(!valid3){
break;
}
}
}
else {
validate279.errors = [{instancePath:instancePath+"/steps",schemaPath:"#/properties/steps/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate279.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate279.errors = vErrors;
return errors === 0;
}
validate279.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition55 = validate282;
const schema76 = {"title":"GroupMember","description":"One rollout of a group.","type":"object","required":["trace_id","rollout_index","status","reward","advantage","block_count"],"properties":{"trace_id":{"$ref":"#/$defs/TraceId"},"rollout_index":{"type":["integer","null"]},"status":{"$ref":"#/$defs/TraceStatus"},"reward":{"type":["number","null"]},"advantage":{"description":"(reward - mean) / (std + 1e-6) of the group; 0 where all rewards are equal, null without a reward.","type":["number","null"]},"block_count":{"type":"integer","minimum":0}},"additionalProperties":false};

function validate282(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate282.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((data.trace_id === undefined) && (missing0 = "trace_id")) || ((data.rollout_index === undefined) && (missing0 = "rollout_index"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.reward === undefined) && (missing0 = "reward"))) || ((data.advantage === undefined) && (missing0 = "advantage"))) || ((data.block_count === undefined) && (missing0 = "block_count"))){
validate282.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "trace_id") || (key0 === "rollout_index")) || (key0 === "status")) || (key0 === "reward")) || (key0 === "advantage")) || (key0 === "block_count"))){
validate282.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.trace_id !== undefined){
const _errs2 = errors;
if(!(validate59(data.trace_id, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rollout_index !== undefined){
let data1 = data.rollout_index;
const _errs3 = errors;
if((!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))) && (data1 !== null)){
validate282.errors = [{instancePath:instancePath+"/rollout_index",schemaPath:"#/properties/rollout_index/type",keyword:"type",params:{type: schema76.properties.rollout_index.type},message:"must be integer,null"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs5 = errors;
if(!(validate165(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate165.errors : vErrors.concat(validate165.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward !== undefined){
let data3 = data.reward;
const _errs6 = errors;
if((!((typeof data3 == "number") && (isFinite(data3)))) && (data3 !== null)){
validate282.errors = [{instancePath:instancePath+"/reward",schemaPath:"#/properties/reward/type",keyword:"type",params:{type: schema76.properties.reward.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.advantage !== undefined){
let data4 = data.advantage;
const _errs8 = errors;
if((!((typeof data4 == "number") && (isFinite(data4)))) && (data4 !== null)){
validate282.errors = [{instancePath:instancePath+"/advantage",schemaPath:"#/properties/advantage/type",keyword:"type",params:{type: schema76.properties.advantage.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.block_count !== undefined){
let data5 = data.block_count;
const _errs10 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate282.errors = [{instancePath:instancePath+"/block_count",schemaPath:"#/properties/block_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs10){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
validate282.errors = [{instancePath:instancePath+"/block_count",schemaPath:"#/properties/block_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate282.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate282.errors = vErrors;
return errors === 0;
}
validate282.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition56 = validate285;
const schema77 = {"title":"Group","description":"Rollouts of one task.","type":"object","required":["key","group_id","run","environment","split","task_key","task_index","step","reward","members"],"properties":{"key":{"description":"What names the group in this store.","type":"string"},"group_id":{"type":["string","null"]},"run":{"type":["string","null"]},"environment":{"type":["string","null"]},"split":{"type":["string","null"]},"task_key":{"type":["string","null"]},"task_index":{"type":["integer","null"]},"step":{"type":["integer","null"]},"reward":{"$ref":"#/$defs/RewardSummary"},"members":{"type":"array","items":{"$ref":"#/$defs/GroupMember"}}},"additionalProperties":false};

function validate285(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate285.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((data.key === undefined) && (missing0 = "key")) || ((data.group_id === undefined) && (missing0 = "group_id"))) || ((data.run === undefined) && (missing0 = "run"))) || ((data.environment === undefined) && (missing0 = "environment"))) || ((data.split === undefined) && (missing0 = "split"))) || ((data.task_key === undefined) && (missing0 = "task_key"))) || ((data.task_index === undefined) && (missing0 = "task_index"))) || ((data.step === undefined) && (missing0 = "step"))) || ((data.reward === undefined) && (missing0 = "reward"))) || ((data.members === undefined) && (missing0 = "members"))){
validate285.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func7.call(schema77.properties, key0))){
validate285.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.key !== undefined){
const _errs2 = errors;
if(typeof data.key !== "string"){
validate285.errors = [{instancePath:instancePath+"/key",schemaPath:"#/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.group_id !== undefined){
let data1 = data.group_id;
const _errs4 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate285.errors = [{instancePath:instancePath+"/group_id",schemaPath:"#/properties/group_id/type",keyword:"type",params:{type: schema77.properties.group_id.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.run !== undefined){
let data2 = data.run;
const _errs6 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate285.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/type",keyword:"type",params:{type: schema77.properties.run.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.environment !== undefined){
let data3 = data.environment;
const _errs8 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate285.errors = [{instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/type",keyword:"type",params:{type: schema77.properties.environment.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.split !== undefined){
let data4 = data.split;
const _errs10 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate285.errors = [{instancePath:instancePath+"/split",schemaPath:"#/properties/split/type",keyword:"type",params:{type: schema77.properties.split.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.task_key !== undefined){
let data5 = data.task_key;
const _errs12 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate285.errors = [{instancePath:instancePath+"/task_key",schemaPath:"#/properties/task_key/type",keyword:"type",params:{type: schema77.properties.task_key.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.task_index !== undefined){
let data6 = data.task_index;
const _errs14 = errors;
if((!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))) && (data6 !== null)){
validate285.errors = [{instancePath:instancePath+"/task_index",schemaPath:"#/properties/task_index/type",keyword:"type",params:{type: schema77.properties.task_index.type},message:"must be integer,null"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.step !== undefined){
let data7 = data.step;
const _errs16 = errors;
if((!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))) && (data7 !== null)){
validate285.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/type",keyword:"type",params:{type: schema77.properties.step.type},message:"must be integer,null"}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward !== undefined){
const _errs18 = errors;
if(!(validate269(data.reward, {instancePath:instancePath+"/reward",parentData:data,parentDataProperty:"reward",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate269.errors : vErrors.concat(validate269.errors);
errors = vErrors.length;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.members !== undefined){
let data9 = data.members;
const _errs19 = errors;
if(errors === _errs19){
if(Array.isArray(data9)){
var valid1 = true;
const len0 = data9.length;
for(let i0=0; i0<len0; i0++){
const _errs21 = errors;
if(!(validate282(data9[i0], {instancePath:instancePath+"/members/" + i0,parentData:data9,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate282.errors : vErrors.concat(validate282.errors);
errors = vErrors.length;
}
var valid1 = _errs21 === errors;
if(!valid1){
break;
}
}
}
else {
validate285.errors = [{instancePath:instancePath+"/members",schemaPath:"#/properties/members/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate285.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate285.errors = vErrors;
return errors === 0;
}
validate285.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition57 = validate288;
const schema78 = {"title":"GroupList","description":"One page of groups.","type":"object","required":["groups","page"],"properties":{"groups":{"type":"array","items":{"$ref":"#/$defs/Group"}},"page":{"$ref":"#/$defs/Page"}},"additionalProperties":false};

function validate288(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate288.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.groups === undefined) && (missing0 = "groups")) || ((data.page === undefined) && (missing0 = "page"))){
validate288.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "groups") || (key0 === "page"))){
validate288.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.groups !== undefined){
let data0 = data.groups;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate285(data0[i0], {instancePath:instancePath+"/groups/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate285.errors : vErrors.concat(validate285.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validate288.errors = [{instancePath:instancePath+"/groups",schemaPath:"#/properties/groups/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.page !== undefined){
const _errs5 = errors;
if(!(validate216(data.page, {instancePath:instancePath+"/page",parentData:data,parentDataProperty:"page",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate216.errors : vErrors.concat(validate216.errors);
errors = vErrors.length;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate288.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate288.errors = vErrors;
return errors === 0;
}
validate288.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition58 = validate291;
const schema79 = {"title":"Access","description":"What the key of a request may do, and with whose traces.","type":"object","required":["organization","scopes"],"properties":{"organization":{"type":"string"},"scopes":{"type":"array","items":{"enum":["read","write"]}}},"additionalProperties":false};

function validate291(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate291.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.organization === undefined) && (missing0 = "organization")) || ((data.scopes === undefined) && (missing0 = "scopes"))){
validate291.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "organization") || (key0 === "scopes"))){
validate291.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.organization !== undefined){
const _errs2 = errors;
if(typeof data.organization !== "string"){
validate291.errors = [{instancePath:instancePath+"/organization",schemaPath:"#/properties/organization/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scopes !== undefined){
let data1 = data.scopes;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data1)){
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs6 = errors;
if(!((data2 === "read") || (data2 === "write"))){
validate291.errors = [{instancePath:instancePath+"/scopes/" + i0,schemaPath:"#/properties/scopes/items/enum",keyword:"enum",params:{allowedValues: schema79.properties.scopes.items.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
else {
validate291.errors = [{instancePath:instancePath+"/scopes",schemaPath:"#/properties/scopes/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate291.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate291.errors = vErrors;
return errors === 0;
}
validate291.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition59 = validate292;
const schema80 = {"title":"BlobReceipt","description":"Says that a blob is on disk.","type":"object","required":["sha256","media_type","bytes"],"properties":{"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"media_type":{"type":"string"},"bytes":{"type":"integer","minimum":0}},"additionalProperties":false};

function validate292(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate292.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.sha256 === undefined) && (missing0 = "sha256")) || ((data.media_type === undefined) && (missing0 = "media_type"))) || ((data.bytes === undefined) && (missing0 = "bytes"))){
validate292.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "sha256") || (key0 === "media_type")) || (key0 === "bytes"))){
validate292.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.sha256 !== undefined){
let data0 = data.sha256;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern8.test(data0)){
validate292.errors = [{instancePath:instancePath+"/sha256",schemaPath:"#/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate292.errors = [{instancePath:instancePath+"/sha256",schemaPath:"#/properties/sha256/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.media_type !== undefined){
const _errs4 = errors;
if(typeof data.media_type !== "string"){
validate292.errors = [{instancePath:instancePath+"/media_type",schemaPath:"#/properties/media_type/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.bytes !== undefined){
let data2 = data.bytes;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate292.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate292.errors = [{instancePath:instancePath+"/bytes",schemaPath:"#/properties/bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate292.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate292.errors = vErrors;
return errors === 0;
}
validate292.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition60 = validate293;
const schema81 = {"title":"StitchedTrace","description":"A trace as a tree: messages, under each its thoughts and tool calls, under each call its results. Every list is ordered by payload.seq (null last), created_at, id.","type":"object","required":["trace","messages","orphans","page"],"properties":{"trace":{"$ref":"#/$defs/Trace"},"messages":{"type":"array","items":{"$ref":"#/$defs/StitchedMessage"}},"orphans":{"$ref":"#/$defs/Orphans"},"page":{"$ref":"#/$defs/Page"}},"additionalProperties":false};

function validate293(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate293.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.trace === undefined) && (missing0 = "trace")) || ((data.messages === undefined) && (missing0 = "messages"))) || ((data.orphans === undefined) && (missing0 = "orphans"))) || ((data.page === undefined) && (missing0 = "page"))){
validate293.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "trace") || (key0 === "messages")) || (key0 === "orphans")) || (key0 === "page"))){
validate293.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.trace !== undefined){
const _errs2 = errors;
if(!(validate166(data.trace, {instancePath:instancePath+"/trace",parentData:data,parentDataProperty:"trace",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate166.errors : vErrors.concat(validate166.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.messages !== undefined){
let data1 = data.messages;
const _errs3 = errors;
if(errors === _errs3){
if(Array.isArray(data1)){
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs5 = errors;
if(!(validate200(data1[i0], {instancePath:instancePath+"/messages/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate200.errors : vErrors.concat(validate200.errors);
errors = vErrors.length;
}
var valid1 = _errs5 === errors;
if(!valid1){
break;
}
}
}
else {
validate293.errors = [{instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.orphans !== undefined){
const _errs6 = errors;
if(!(validate212(data.orphans, {instancePath:instancePath+"/orphans",parentData:data,parentDataProperty:"orphans",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate212.errors : vErrors.concat(validate212.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.page !== undefined){
const _errs7 = errors;
if(!(validate216(data.page, {instancePath:instancePath+"/page",parentData:data,parentDataProperty:"page",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate216.errors : vErrors.concat(validate216.errors);
errors = vErrors.length;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate293.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate293.errors = vErrors;
return errors === 0;
}
validate293.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition61 = validate298;
const schema82 = {"title":"ValidationIssue","description":"One broken rule: where, which, what was expected and what was found (a type or a short preview).","type":"object","required":["path","rule","expected","got"],"properties":{"index":{"description":"Place of the block in a batch.","type":"integer","minimum":0},"path":{"description":"JSON pointer into the block.","type":"string"},"rule":{"type":"string","minLength":1},"expected":{"type":"string"},"got":{"type":"string","maxLength":80}},"additionalProperties":false};

function validate298(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate298.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.path === undefined) && (missing0 = "path")) || ((data.rule === undefined) && (missing0 = "rule"))) || ((data.expected === undefined) && (missing0 = "expected"))) || ((data.got === undefined) && (missing0 = "got"))){
validate298.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "index") || (key0 === "path")) || (key0 === "rule")) || (key0 === "expected")) || (key0 === "got"))){
validate298.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.index !== undefined){
let data0 = data.index;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate298.errors = [{instancePath:instancePath+"/index",schemaPath:"#/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate298.errors = [{instancePath:instancePath+"/index",schemaPath:"#/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.path !== undefined){
const _errs4 = errors;
if(typeof data.path !== "string"){
validate298.errors = [{instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rule !== undefined){
let data2 = data.rule;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(func1(data2) < 1){
validate298.errors = [{instancePath:instancePath+"/rule",schemaPath:"#/properties/rule/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate298.errors = [{instancePath:instancePath+"/rule",schemaPath:"#/properties/rule/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expected !== undefined){
const _errs8 = errors;
if(typeof data.expected !== "string"){
validate298.errors = [{instancePath:instancePath+"/expected",schemaPath:"#/properties/expected/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.got !== undefined){
let data4 = data.got;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data4 === "string"){
if(func1(data4) > 80){
validate298.errors = [{instancePath:instancePath+"/got",schemaPath:"#/properties/got/maxLength",keyword:"maxLength",params:{limit: 80},message:"must NOT have more than 80 characters"}];
return false;
}
}
else {
validate298.errors = [{instancePath:instancePath+"/got",schemaPath:"#/properties/got/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate298.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate298.errors = vErrors;
return errors === 0;
}
validate298.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition62 = validate299;
const schema83 = {"title":"ValidationFailure","description":"A required field is missing, a role is unknown, a parent is missing or not allowed.","type":"object","required":["code","http_status","message","details"],"properties":{"code":{"const":"VALIDATION"},"http_status":{"const":422},"message":{"type":"string","minLength":1},"details":{"type":"object","required":["issues"],"properties":{"issues":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/ValidationIssue"}}},"additionalProperties":false}},"additionalProperties":false};

function validate299(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate299.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.http_status === undefined) && (missing0 = "http_status"))) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))){
validate299.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "code") || (key0 === "http_status")) || (key0 === "message")) || (key0 === "details"))){
validate299.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.code !== undefined){
const _errs2 = errors;
if("VALIDATION" !== data.code){
validate299.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/const",keyword:"const",params:{allowedValue: "VALIDATION"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.http_status !== undefined){
const _errs3 = errors;
if(422 !== data.http_status){
validate299.errors = [{instancePath:instancePath+"/http_status",schemaPath:"#/properties/http_status/const",keyword:"const",params:{allowedValue: 422},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data2 = data.message;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(func1(data2) < 1){
validate299.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate299.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data3 = data.details;
const _errs6 = errors;
if(errors === _errs6){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if((data3.issues === undefined) && (missing1 = "issues")){
validate299.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs8 = errors;
for(const key1 in data3){
if(!(key1 === "issues")){
validate299.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs8 === errors){
if(data3.issues !== undefined){
let data4 = data3.issues;
const _errs9 = errors;
if(errors === _errs9){
if(Array.isArray(data4)){
if(data4.length < 1){
validate299.errors = [{instancePath:instancePath+"/details/issues",schemaPath:"#/properties/details/properties/issues/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
const _errs11 = errors;
if(!(validate298(data4[i0], {instancePath:instancePath+"/details/issues/" + i0,parentData:data4,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate298.errors : vErrors.concat(validate298.errors);
errors = vErrors.length;
}
var valid2 = _errs11 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate299.errors = [{instancePath:instancePath+"/details/issues",schemaPath:"#/properties/details/properties/issues/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
}
else {
validate299.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate299.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate299.errors = vErrors;
return errors === 0;
}
validate299.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition63 = validate301;
const schema84 = {"title":"PayloadTooLarge","description":"A field exceeds its byte limit. Nothing was stored and nothing was cut.","type":"object","required":["code","http_status","message","details"],"properties":{"code":{"const":"PAYLOAD_TOO_LARGE"},"http_status":{"const":413},"message":{"type":"string","minLength":1},"details":{"type":"object","required":["sub_type","field","limit_bytes","actual_bytes","trace_id","parent_block_id"],"properties":{"index":{"description":"Place of the block in a batch.","type":"integer","minimum":0},"sub_type":{"description":"Null when the request as a whole is too large.","anyOf":[{"$ref":"#/$defs/SubType"},{"type":"null"}]},"field":{"enum":["content","arguments","text","output","delta","request_body"]},"limit_bytes":{"type":"integer","minimum":1},"actual_bytes":{"description":"Null when the client did not tell and the store stopped reading.","type":["integer","null"],"minimum":1},"trace_id":{"description":"Null when a request that names no trace is too large.","anyOf":[{"$ref":"#/$defs/TraceId"},{"type":"null"}]},"parent_block_id":{"anyOf":[{"$ref":"#/$defs/BlockId"},{"type":"null"}]}},"additionalProperties":false}},"additionalProperties":false};

function validate301(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate301.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.http_status === undefined) && (missing0 = "http_status"))) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))){
validate301.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "code") || (key0 === "http_status")) || (key0 === "message")) || (key0 === "details"))){
validate301.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.code !== undefined){
const _errs2 = errors;
if("PAYLOAD_TOO_LARGE" !== data.code){
validate301.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/const",keyword:"const",params:{allowedValue: "PAYLOAD_TOO_LARGE"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.http_status !== undefined){
const _errs3 = errors;
if(413 !== data.http_status){
validate301.errors = [{instancePath:instancePath+"/http_status",schemaPath:"#/properties/http_status/const",keyword:"const",params:{allowedValue: 413},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data2 = data.message;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(func1(data2) < 1){
validate301.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate301.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data3 = data.details;
const _errs6 = errors;
if(errors === _errs6){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if(((((((data3.sub_type === undefined) && (missing1 = "sub_type")) || ((data3.field === undefined) && (missing1 = "field"))) || ((data3.limit_bytes === undefined) && (missing1 = "limit_bytes"))) || ((data3.actual_bytes === undefined) && (missing1 = "actual_bytes"))) || ((data3.trace_id === undefined) && (missing1 = "trace_id"))) || ((data3.parent_block_id === undefined) && (missing1 = "parent_block_id"))){
validate301.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs8 = errors;
for(const key1 in data3){
if(!(((((((key1 === "index") || (key1 === "sub_type")) || (key1 === "field")) || (key1 === "limit_bytes")) || (key1 === "actual_bytes")) || (key1 === "trace_id")) || (key1 === "parent_block_id"))){
validate301.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs8 === errors){
if(data3.index !== undefined){
let data4 = data3.index;
const _errs9 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate301.errors = [{instancePath:instancePath+"/details/index",schemaPath:"#/properties/details/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs9){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
validate301.errors = [{instancePath:instancePath+"/details/index",schemaPath:"#/properties/details/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.sub_type !== undefined){
let data5 = data3.sub_type;
const _errs11 = errors;
const _errs12 = errors;
let valid2 = false;
const _errs13 = errors;
if(!(validate63(data5, {instancePath:instancePath+"/details/sub_type",parentData:data3,parentDataProperty:"sub_type",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var _valid0 = _errs13 === errors;
valid2 = valid2 || _valid0;
const _errs14 = errors;
if(data5 !== null){
const err0 = {instancePath:instancePath+"/details/sub_type",schemaPath:"#/properties/details/properties/sub_type/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs14 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const err1 = {instancePath:instancePath+"/details/sub_type",schemaPath:"#/properties/details/properties/sub_type/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate301.errors = vErrors;
return false;
}
else {
errors = _errs12;
if(vErrors !== null){
if(_errs12){
vErrors.length = _errs12;
}
else {
vErrors = null;
}
}
}
var valid1 = _errs11 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.field !== undefined){
let data6 = data3.field;
const _errs16 = errors;
if(!((((((data6 === "content") || (data6 === "arguments")) || (data6 === "text")) || (data6 === "output")) || (data6 === "delta")) || (data6 === "request_body"))){
validate301.errors = [{instancePath:instancePath+"/details/field",schemaPath:"#/properties/details/properties/field/enum",keyword:"enum",params:{allowedValues: schema84.properties.details.properties.field.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid1 = _errs16 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.limit_bytes !== undefined){
let data7 = data3.limit_bytes;
const _errs17 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate301.errors = [{instancePath:instancePath+"/details/limit_bytes",schemaPath:"#/properties/details/properties/limit_bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs17){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 1 || isNaN(data7)){
validate301.errors = [{instancePath:instancePath+"/details/limit_bytes",schemaPath:"#/properties/details/properties/limit_bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid1 = _errs17 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.actual_bytes !== undefined){
let data8 = data3.actual_bytes;
const _errs19 = errors;
if((!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))) && (data8 !== null)){
validate301.errors = [{instancePath:instancePath+"/details/actual_bytes",schemaPath:"#/properties/details/properties/actual_bytes/type",keyword:"type",params:{type: schema84.properties.details.properties.actual_bytes.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs19){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 1 || isNaN(data8)){
validate301.errors = [{instancePath:instancePath+"/details/actual_bytes",schemaPath:"#/properties/details/properties/actual_bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid1 = _errs19 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.trace_id !== undefined){
let data9 = data3.trace_id;
const _errs21 = errors;
const _errs22 = errors;
let valid3 = false;
const _errs23 = errors;
if(!(validate59(data9, {instancePath:instancePath+"/details/trace_id",parentData:data3,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var _valid1 = _errs23 === errors;
valid3 = valid3 || _valid1;
const _errs24 = errors;
if(data9 !== null){
const err2 = {instancePath:instancePath+"/details/trace_id",schemaPath:"#/properties/details/properties/trace_id/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs24 === errors;
valid3 = valid3 || _valid1;
if(!valid3){
const err3 = {instancePath:instancePath+"/details/trace_id",schemaPath:"#/properties/details/properties/trace_id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate301.errors = vErrors;
return false;
}
else {
errors = _errs22;
if(vErrors !== null){
if(_errs22){
vErrors.length = _errs22;
}
else {
vErrors = null;
}
}
}
var valid1 = _errs21 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.parent_block_id !== undefined){
let data10 = data3.parent_block_id;
const _errs26 = errors;
const _errs27 = errors;
let valid4 = false;
const _errs28 = errors;
if(!(validate60(data10, {instancePath:instancePath+"/details/parent_block_id",parentData:data3,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var _valid2 = _errs28 === errors;
valid4 = valid4 || _valid2;
const _errs29 = errors;
if(data10 !== null){
const err4 = {instancePath:instancePath+"/details/parent_block_id",schemaPath:"#/properties/details/properties/parent_block_id/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid2 = _errs29 === errors;
valid4 = valid4 || _valid2;
if(!valid4){
const err5 = {instancePath:instancePath+"/details/parent_block_id",schemaPath:"#/properties/details/properties/parent_block_id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate301.errors = vErrors;
return false;
}
else {
errors = _errs27;
if(vErrors !== null){
if(_errs27){
vErrors.length = _errs27;
}
else {
vErrors = null;
}
}
}
var valid1 = _errs26 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate301.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate301.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate301.errors = vErrors;
return errors === 0;
}
validate301.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition64 = validate305;
const schema85 = {"title":"ParentSubtypeMismatch","description":"The parent exists, but a block of this kind may not hang under it.","type":"object","required":["code","http_status","message","details"],"properties":{"code":{"const":"PARENT_SUBTYPE_MISMATCH"},"http_status":{"const":409},"message":{"type":"string","minLength":1},"details":{"type":"object","required":["sub_type","parent_block_id","parent_sub_type","allowed"],"properties":{"index":{"description":"Place of the block in a batch.","type":"integer","minimum":0},"sub_type":{"$ref":"#/$defs/SubType"},"parent_block_id":{"$ref":"#/$defs/BlockId"},"parent_sub_type":{"$ref":"#/$defs/SubType"},"allowed":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/SubType"}}},"additionalProperties":false}},"additionalProperties":false};

function validate305(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate305.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.http_status === undefined) && (missing0 = "http_status"))) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))){
validate305.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "code") || (key0 === "http_status")) || (key0 === "message")) || (key0 === "details"))){
validate305.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.code !== undefined){
const _errs2 = errors;
if("PARENT_SUBTYPE_MISMATCH" !== data.code){
validate305.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/const",keyword:"const",params:{allowedValue: "PARENT_SUBTYPE_MISMATCH"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.http_status !== undefined){
const _errs3 = errors;
if(409 !== data.http_status){
validate305.errors = [{instancePath:instancePath+"/http_status",schemaPath:"#/properties/http_status/const",keyword:"const",params:{allowedValue: 409},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data2 = data.message;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(func1(data2) < 1){
validate305.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate305.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data3 = data.details;
const _errs6 = errors;
if(errors === _errs6){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if(((((data3.sub_type === undefined) && (missing1 = "sub_type")) || ((data3.parent_block_id === undefined) && (missing1 = "parent_block_id"))) || ((data3.parent_sub_type === undefined) && (missing1 = "parent_sub_type"))) || ((data3.allowed === undefined) && (missing1 = "allowed"))){
validate305.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs8 = errors;
for(const key1 in data3){
if(!(((((key1 === "index") || (key1 === "sub_type")) || (key1 === "parent_block_id")) || (key1 === "parent_sub_type")) || (key1 === "allowed"))){
validate305.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs8 === errors){
if(data3.index !== undefined){
let data4 = data3.index;
const _errs9 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate305.errors = [{instancePath:instancePath+"/details/index",schemaPath:"#/properties/details/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs9){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
validate305.errors = [{instancePath:instancePath+"/details/index",schemaPath:"#/properties/details/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.sub_type !== undefined){
const _errs11 = errors;
if(!(validate63(data3.sub_type, {instancePath:instancePath+"/details/sub_type",parentData:data3,parentDataProperty:"sub_type",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid1 = _errs11 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.parent_block_id !== undefined){
const _errs12 = errors;
if(!(validate60(data3.parent_block_id, {instancePath:instancePath+"/details/parent_block_id",parentData:data3,parentDataProperty:"parent_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid1 = _errs12 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.parent_sub_type !== undefined){
const _errs13 = errors;
if(!(validate63(data3.parent_sub_type, {instancePath:instancePath+"/details/parent_sub_type",parentData:data3,parentDataProperty:"parent_sub_type",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid1 = _errs13 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.allowed !== undefined){
let data8 = data3.allowed;
const _errs14 = errors;
if(errors === _errs14){
if(Array.isArray(data8)){
if(data8.length < 1){
validate305.errors = [{instancePath:instancePath+"/details/allowed",schemaPath:"#/properties/details/properties/allowed/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
const _errs16 = errors;
if(!(validate63(data8[i0], {instancePath:instancePath+"/details/allowed/" + i0,parentData:data8,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
var valid2 = _errs16 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate305.errors = [{instancePath:instancePath+"/details/allowed",schemaPath:"#/properties/details/properties/allowed/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs14 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
}
else {
validate305.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate305.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate305.errors = vErrors;
return errors === 0;
}
validate305.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition65 = validate310;
const schema86 = {"title":"DuplicateCallId","description":"The trace already has a tool call with this call_id.","type":"object","required":["code","http_status","message","details"],"properties":{"code":{"const":"DUPLICATE_CALL_ID"},"http_status":{"const":409},"message":{"type":"string","minLength":1},"details":{"type":"object","required":["trace_id","call_id","existing_block_id"],"properties":{"index":{"description":"Place of the block in a batch.","type":"integer","minimum":0},"trace_id":{"$ref":"#/$defs/TraceId"},"call_id":{"$ref":"#/$defs/CallId"},"existing_block_id":{"$ref":"#/$defs/BlockId"}},"additionalProperties":false}},"additionalProperties":false};

function validate310(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate310.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.http_status === undefined) && (missing0 = "http_status"))) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))){
validate310.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "code") || (key0 === "http_status")) || (key0 === "message")) || (key0 === "details"))){
validate310.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.code !== undefined){
const _errs2 = errors;
if("DUPLICATE_CALL_ID" !== data.code){
validate310.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/const",keyword:"const",params:{allowedValue: "DUPLICATE_CALL_ID"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.http_status !== undefined){
const _errs3 = errors;
if(409 !== data.http_status){
validate310.errors = [{instancePath:instancePath+"/http_status",schemaPath:"#/properties/http_status/const",keyword:"const",params:{allowedValue: 409},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data2 = data.message;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(func1(data2) < 1){
validate310.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate310.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data3 = data.details;
const _errs6 = errors;
if(errors === _errs6){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if((((data3.trace_id === undefined) && (missing1 = "trace_id")) || ((data3.call_id === undefined) && (missing1 = "call_id"))) || ((data3.existing_block_id === undefined) && (missing1 = "existing_block_id"))){
validate310.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs8 = errors;
for(const key1 in data3){
if(!((((key1 === "index") || (key1 === "trace_id")) || (key1 === "call_id")) || (key1 === "existing_block_id"))){
validate310.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs8 === errors){
if(data3.index !== undefined){
let data4 = data3.index;
const _errs9 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate310.errors = [{instancePath:instancePath+"/details/index",schemaPath:"#/properties/details/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs9){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
validate310.errors = [{instancePath:instancePath+"/details/index",schemaPath:"#/properties/details/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.trace_id !== undefined){
const _errs11 = errors;
if(!(validate59(data3.trace_id, {instancePath:instancePath+"/details/trace_id",parentData:data3,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid1 = _errs11 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.call_id !== undefined){
const _errs12 = errors;
if(!(validate61(data3.call_id, {instancePath:instancePath+"/details/call_id",parentData:data3,parentDataProperty:"call_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
var valid1 = _errs12 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.existing_block_id !== undefined){
const _errs13 = errors;
if(!(validate60(data3.existing_block_id, {instancePath:instancePath+"/details/existing_block_id",parentData:data3,parentDataProperty:"existing_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid1 = _errs13 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
else {
validate310.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate310.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate310.errors = vErrors;
return errors === 0;
}
validate310.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition66 = validate314;
const schema87 = {"title":"DuplicateResultSeq","description":"The call already has a result with this seq.","type":"object","required":["code","http_status","message","details"],"properties":{"code":{"const":"DUPLICATE_RESULT_SEQ"},"http_status":{"const":409},"message":{"type":"string","minLength":1},"details":{"type":"object","required":["trace_id","call_id","seq","existing_block_id"],"properties":{"index":{"description":"Place of the block in a batch.","type":"integer","minimum":0},"trace_id":{"$ref":"#/$defs/TraceId"},"call_id":{"$ref":"#/$defs/CallId"},"seq":{"type":"integer","minimum":0},"existing_block_id":{"$ref":"#/$defs/BlockId"}},"additionalProperties":false}},"additionalProperties":false};

function validate314(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate314.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.http_status === undefined) && (missing0 = "http_status"))) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))){
validate314.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "code") || (key0 === "http_status")) || (key0 === "message")) || (key0 === "details"))){
validate314.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.code !== undefined){
const _errs2 = errors;
if("DUPLICATE_RESULT_SEQ" !== data.code){
validate314.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/const",keyword:"const",params:{allowedValue: "DUPLICATE_RESULT_SEQ"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.http_status !== undefined){
const _errs3 = errors;
if(409 !== data.http_status){
validate314.errors = [{instancePath:instancePath+"/http_status",schemaPath:"#/properties/http_status/const",keyword:"const",params:{allowedValue: 409},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data2 = data.message;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(func1(data2) < 1){
validate314.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate314.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
let data3 = data.details;
const _errs6 = errors;
if(errors === _errs6){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if(((((data3.trace_id === undefined) && (missing1 = "trace_id")) || ((data3.call_id === undefined) && (missing1 = "call_id"))) || ((data3.seq === undefined) && (missing1 = "seq"))) || ((data3.existing_block_id === undefined) && (missing1 = "existing_block_id"))){
validate314.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs8 = errors;
for(const key1 in data3){
if(!(((((key1 === "index") || (key1 === "trace_id")) || (key1 === "call_id")) || (key1 === "seq")) || (key1 === "existing_block_id"))){
validate314.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs8 === errors){
if(data3.index !== undefined){
let data4 = data3.index;
const _errs9 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate314.errors = [{instancePath:instancePath+"/details/index",schemaPath:"#/properties/details/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs9){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
validate314.errors = [{instancePath:instancePath+"/details/index",schemaPath:"#/properties/details/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.trace_id !== undefined){
const _errs11 = errors;
if(!(validate59(data3.trace_id, {instancePath:instancePath+"/details/trace_id",parentData:data3,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var valid1 = _errs11 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.call_id !== undefined){
const _errs12 = errors;
if(!(validate61(data3.call_id, {instancePath:instancePath+"/details/call_id",parentData:data3,parentDataProperty:"call_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
var valid1 = _errs12 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.seq !== undefined){
let data7 = data3.seq;
const _errs13 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate314.errors = [{instancePath:instancePath+"/details/seq",schemaPath:"#/properties/details/properties/seq/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs13){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 0 || isNaN(data7)){
validate314.errors = [{instancePath:instancePath+"/details/seq",schemaPath:"#/properties/details/properties/seq/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid1 = _errs13 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data3.existing_block_id !== undefined){
const _errs15 = errors;
if(!(validate60(data3.existing_block_id, {instancePath:instancePath+"/details/existing_block_id",parentData:data3,parentDataProperty:"existing_block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid1 = _errs15 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
}
}
else {
validate314.errors = [{instancePath:instancePath+"/details",schemaPath:"#/properties/details/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate314.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate314.errors = vErrors;
return errors === 0;
}
validate314.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition67 = validate318;
const schema88 = {"title":"OtherFailure","description":"Any other failure of a request to the trace store.","type":"object","required":["code","http_status","message","details"],"properties":{"code":{"enum":["BAD_REQUEST","BAD_JSON","UNAUTHENTICATED","FORBIDDEN","TRACE_NOT_FOUND","BLOCK_NOT_FOUND","NOT_FOUND","METHOD_NOT_ALLOWED","TRACE_ID_CONFLICT","BLOCK_ID_CONFLICT","TRACE_DELETED","UNSUPPORTED_MEDIA_TYPE","IDEMPOTENCY_MISMATCH","RATE_LIMITED","OVERLOADED","INTERNAL"]},"http_status":{"enum":[400,401,403,404,405,408,409,410,415,417,422,429,431,500,503]},"message":{"type":"string","minLength":1},"details":{"$ref":"#/$defs/JSONObject"}},"additionalProperties":false};

function validate318(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate318.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.code === undefined) && (missing0 = "code")) || ((data.http_status === undefined) && (missing0 = "http_status"))) || ((data.message === undefined) && (missing0 = "message"))) || ((data.details === undefined) && (missing0 = "details"))){
validate318.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "code") || (key0 === "http_status")) || (key0 === "message")) || (key0 === "details"))){
validate318.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.code !== undefined){
let data0 = data.code;
const _errs2 = errors;
if(!((((((((((((((((data0 === "BAD_REQUEST") || (data0 === "BAD_JSON")) || (data0 === "UNAUTHENTICATED")) || (data0 === "FORBIDDEN")) || (data0 === "TRACE_NOT_FOUND")) || (data0 === "BLOCK_NOT_FOUND")) || (data0 === "NOT_FOUND")) || (data0 === "METHOD_NOT_ALLOWED")) || (data0 === "TRACE_ID_CONFLICT")) || (data0 === "BLOCK_ID_CONFLICT")) || (data0 === "TRACE_DELETED")) || (data0 === "UNSUPPORTED_MEDIA_TYPE")) || (data0 === "IDEMPOTENCY_MISMATCH")) || (data0 === "RATE_LIMITED")) || (data0 === "OVERLOADED")) || (data0 === "INTERNAL"))){
validate318.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/enum",keyword:"enum",params:{allowedValues: schema88.properties.code.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.http_status !== undefined){
let data1 = data.http_status;
const _errs3 = errors;
if(!(((((((((((((((data1 === 400) || (data1 === 401)) || (data1 === 403)) || (data1 === 404)) || (data1 === 405)) || (data1 === 408)) || (data1 === 409)) || (data1 === 410)) || (data1 === 415)) || (data1 === 417)) || (data1 === 422)) || (data1 === 429)) || (data1 === 431)) || (data1 === 500)) || (data1 === 503))){
validate318.errors = [{instancePath:instancePath+"/http_status",schemaPath:"#/properties/http_status/enum",keyword:"enum",params:{allowedValues: schema88.properties.http_status.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data2 = data.message;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(func1(data2) < 1){
validate318.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate318.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.details !== undefined){
const _errs6 = errors;
if(!(validate53(data.details, {instancePath:instancePath+"/details",parentData:data,parentDataProperty:"details",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate318.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate318.errors = vErrors;
return errors === 0;
}
validate318.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition68 = validate320;
const schema89 = {"title":"Failure","description":"Why a request was refused.","oneOf":[{"$ref":"#/$defs/ValidationFailure"},{"$ref":"#/$defs/PayloadTooLarge"},{"$ref":"#/$defs/ParentSubtypeMismatch"},{"$ref":"#/$defs/DuplicateCallId"},{"$ref":"#/$defs/DuplicateResultSeq"},{"$ref":"#/$defs/OtherFailure"}]};

function validate320(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate320.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate299(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate299.errors : vErrors.concat(validate299.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = true;
}
const _errs2 = errors;
if(!(validate301(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate301.errors : vErrors.concat(validate301.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = true;
}
}
const _errs3 = errors;
if(!(validate305(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate305.errors : vErrors.concat(validate305.errors);
errors = vErrors.length;
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
if(props0 !== true){
props0 = true;
}
}
const _errs4 = errors;
if(!(validate310(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate310.errors : vErrors.concat(validate310.errors);
errors = vErrors.length;
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 3];
}
else {
if(_valid0){
valid0 = true;
passing0 = 3;
if(props0 !== true){
props0 = true;
}
}
const _errs5 = errors;
if(!(validate314(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate314.errors : vErrors.concat(validate314.errors);
errors = vErrors.length;
}
var _valid0 = _errs5 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 4];
}
else {
if(_valid0){
valid0 = true;
passing0 = 4;
if(props0 !== true){
props0 = true;
}
}
const _errs6 = errors;
if(!(validate318(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate318.errors : vErrors.concat(validate318.errors);
errors = vErrors.length;
}
var _valid0 = _errs6 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 5];
}
else {
if(_valid0){
valid0 = true;
passing0 = 5;
if(props0 !== true){
props0 = true;
}
}
}
}
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate320.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate320.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate320.evaluated = {"dynamicProps":true,"dynamicItems":false};

const definition69 = validate327;
const schema90 = {"title":"TraceError","description":"The envelope of every error of a trace store; http_status equals the status of the response.","type":"object","required":["error"],"properties":{"error":{"$ref":"#/$defs/Failure"}},"additionalProperties":false};

function validate327(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate327.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.error === undefined) && (missing0 = "error")){
validate327.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "error")){
validate327.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.error !== undefined){
if(!(validate320(data.error, {instancePath:instancePath+"/error",parentData:data,parentDataProperty:"error",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate320.errors : vErrors.concat(validate320.errors);
errors = vErrors.length;
}
}
}
}
}
else {
validate327.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate327.errors = vErrors;
return errors === 0;
}
validate327.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition70 = validate329;
const schema91 = {"title":"ImportReport","description":"What an import came to.","type":"object","required":["traces","blocks","replayed","failed"],"properties":{"traces":{"description":"Traces that were created, or were there with the same content.","type":"integer","minimum":0},"blocks":{"description":"Blocks that were written.","type":"integer","minimum":0},"replayed":{"description":"Blocks that were there.","type":"integer","minimum":0},"failed_count":{"description":"Lines, blocks and traces that could not be read or were refused.","type":"integer","minimum":0},"failed":{"description":"The first 1000 of these, each with the error that a write would have had. All else is imported: `block_id` is null where a trace was refused with all of its blocks, and where a line is no block.","type":"array","items":{"type":"object","required":["line","trace_id","error"],"properties":{"line":{"type":"integer","minimum":1},"trace_id":{"anyOf":[{"$ref":"#/$defs/TraceId"},{"type":"null"}]},"block_id":{"anyOf":[{"$ref":"#/$defs/BlockId"},{"type":"null"}]},"error":{"$ref":"#/$defs/Failure"}},"additionalProperties":false}}},"additionalProperties":false};

function validate329(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate329.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.traces === undefined) && (missing0 = "traces")) || ((data.blocks === undefined) && (missing0 = "blocks"))) || ((data.replayed === undefined) && (missing0 = "replayed"))) || ((data.failed === undefined) && (missing0 = "failed"))){
validate329.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "traces") || (key0 === "blocks")) || (key0 === "replayed")) || (key0 === "failed_count")) || (key0 === "failed"))){
validate329.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.traces !== undefined){
let data0 = data.traces;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate329.errors = [{instancePath:instancePath+"/traces",schemaPath:"#/properties/traces/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate329.errors = [{instancePath:instancePath+"/traces",schemaPath:"#/properties/traces/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.blocks !== undefined){
let data1 = data.blocks;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate329.errors = [{instancePath:instancePath+"/blocks",schemaPath:"#/properties/blocks/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate329.errors = [{instancePath:instancePath+"/blocks",schemaPath:"#/properties/blocks/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.replayed !== undefined){
let data2 = data.replayed;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate329.errors = [{instancePath:instancePath+"/replayed",schemaPath:"#/properties/replayed/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate329.errors = [{instancePath:instancePath+"/replayed",schemaPath:"#/properties/replayed/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failed_count !== undefined){
let data3 = data.failed_count;
const _errs8 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate329.errors = [{instancePath:instancePath+"/failed_count",schemaPath:"#/properties/failed_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs8){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validate329.errors = [{instancePath:instancePath+"/failed_count",schemaPath:"#/properties/failed_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failed !== undefined){
let data4 = data.failed;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data4)){
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
const _errs12 = errors;
if(errors === _errs12){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing1;
if((((data5.line === undefined) && (missing1 = "line")) || ((data5.trace_id === undefined) && (missing1 = "trace_id"))) || ((data5.error === undefined) && (missing1 = "error"))){
validate329.errors = [{instancePath:instancePath+"/failed/" + i0,schemaPath:"#/properties/failed/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs14 = errors;
for(const key1 in data5){
if(!((((key1 === "line") || (key1 === "trace_id")) || (key1 === "block_id")) || (key1 === "error"))){
validate329.errors = [{instancePath:instancePath+"/failed/" + i0,schemaPath:"#/properties/failed/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs14 === errors){
if(data5.line !== undefined){
let data6 = data5.line;
const _errs15 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate329.errors = [{instancePath:instancePath+"/failed/" + i0+"/line",schemaPath:"#/properties/failed/items/properties/line/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs15){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 1 || isNaN(data6)){
validate329.errors = [{instancePath:instancePath+"/failed/" + i0+"/line",schemaPath:"#/properties/failed/items/properties/line/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid2 = _errs15 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.trace_id !== undefined){
let data7 = data5.trace_id;
const _errs17 = errors;
const _errs18 = errors;
let valid3 = false;
const _errs19 = errors;
if(!(validate59(data7, {instancePath:instancePath+"/failed/" + i0+"/trace_id",parentData:data5,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var _valid0 = _errs19 === errors;
valid3 = valid3 || _valid0;
const _errs20 = errors;
if(data7 !== null){
const err0 = {instancePath:instancePath+"/failed/" + i0+"/trace_id",schemaPath:"#/properties/failed/items/properties/trace_id/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs20 === errors;
valid3 = valid3 || _valid0;
if(!valid3){
const err1 = {instancePath:instancePath+"/failed/" + i0+"/trace_id",schemaPath:"#/properties/failed/items/properties/trace_id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate329.errors = vErrors;
return false;
}
else {
errors = _errs18;
if(vErrors !== null){
if(_errs18){
vErrors.length = _errs18;
}
else {
vErrors = null;
}
}
}
var valid2 = _errs17 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.block_id !== undefined){
let data8 = data5.block_id;
const _errs22 = errors;
const _errs23 = errors;
let valid4 = false;
const _errs24 = errors;
if(!(validate60(data8, {instancePath:instancePath+"/failed/" + i0+"/block_id",parentData:data5,parentDataProperty:"block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var _valid1 = _errs24 === errors;
valid4 = valid4 || _valid1;
const _errs25 = errors;
if(data8 !== null){
const err2 = {instancePath:instancePath+"/failed/" + i0+"/block_id",schemaPath:"#/properties/failed/items/properties/block_id/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs25 === errors;
valid4 = valid4 || _valid1;
if(!valid4){
const err3 = {instancePath:instancePath+"/failed/" + i0+"/block_id",schemaPath:"#/properties/failed/items/properties/block_id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate329.errors = vErrors;
return false;
}
else {
errors = _errs23;
if(vErrors !== null){
if(_errs23){
vErrors.length = _errs23;
}
else {
vErrors = null;
}
}
}
var valid2 = _errs22 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.error !== undefined){
const _errs27 = errors;
if(!(validate320(data5.error, {instancePath:instancePath+"/failed/" + i0+"/error",parentData:data5,parentDataProperty:"error",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate320.errors : vErrors.concat(validate320.errors);
errors = vErrors.length;
}
var valid2 = _errs27 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
}
else {
validate329.errors = [{instancePath:instancePath+"/failed/" + i0,schemaPath:"#/properties/failed/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs12 === errors;
if(!valid1){
break;
}
}
}
else {
validate329.errors = [{instancePath:instancePath+"/failed",schemaPath:"#/properties/failed/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate329.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate329.errors = vErrors;
return errors === 0;
}
validate329.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition73 = validate333;
const schema92 = {"title":"RolloutStarted","description":"A rollout begins; its eventId is the id of the rollout.","type":"object","required":["eventType","eventId","runName"],"properties":{"eventType":{"const":"rollout"},"eventId":{"type":"string","minLength":1,"maxLength":48,"pattern":"^[0-9A-Za-z_-]+$"},"timestamp":{"type":"number"},"runName":{"type":"string","minLength":1,"maxLength":256},"rolloutName":{"type":["string","null"]},"environment":{"type":["string","null"]},"variant":{"type":["string","null"]},"split":{"type":["string","null"]},"step":{"description":"Training step.","type":["integer","null"],"minimum":0,"maximum":9007199254740991},"metadata":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]},"task_spec":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]},"run_info":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]}},"additionalProperties":true};
const pattern10 = new RegExp("^[0-9A-Za-z_-]+$", "u");

function validate333(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate333.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.eventType === undefined) && (missing0 = "eventType")) || ((data.eventId === undefined) && (missing0 = "eventId"))) || ((data.runName === undefined) && (missing0 = "runName"))){
validate333.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.eventType !== undefined){
const _errs2 = errors;
if("rollout" !== data.eventType){
validate333.errors = [{instancePath:instancePath+"/eventType",schemaPath:"#/properties/eventType/const",keyword:"const",params:{allowedValue: "rollout"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventId !== undefined){
let data1 = data.eventId;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(func1(data1) > 48){
validate333.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/maxLength",keyword:"maxLength",params:{limit: 48},message:"must NOT have more than 48 characters"}];
return false;
}
else {
if(func1(data1) < 1){
validate333.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern10.test(data1)){
validate333.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z_-]+$"},message:"must match pattern \""+"^[0-9A-Za-z_-]+$"+"\""}];
return false;
}
}
}
}
else {
validate333.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.timestamp !== undefined){
let data2 = data.timestamp;
const _errs5 = errors;
if(!((typeof data2 == "number") && (isFinite(data2)))){
validate333.errors = [{instancePath:instancePath+"/timestamp",schemaPath:"#/properties/timestamp/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.runName !== undefined){
let data3 = data.runName;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data3 === "string"){
if(func1(data3) > 256){
validate333.errors = [{instancePath:instancePath+"/runName",schemaPath:"#/properties/runName/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func1(data3) < 1){
validate333.errors = [{instancePath:instancePath+"/runName",schemaPath:"#/properties/runName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate333.errors = [{instancePath:instancePath+"/runName",schemaPath:"#/properties/runName/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rolloutName !== undefined){
let data4 = data.rolloutName;
const _errs9 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate333.errors = [{instancePath:instancePath+"/rolloutName",schemaPath:"#/properties/rolloutName/type",keyword:"type",params:{type: schema92.properties.rolloutName.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.environment !== undefined){
let data5 = data.environment;
const _errs11 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate333.errors = [{instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/type",keyword:"type",params:{type: schema92.properties.environment.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.variant !== undefined){
let data6 = data.variant;
const _errs13 = errors;
if((typeof data6 !== "string") && (data6 !== null)){
validate333.errors = [{instancePath:instancePath+"/variant",schemaPath:"#/properties/variant/type",keyword:"type",params:{type: schema92.properties.variant.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.split !== undefined){
let data7 = data.split;
const _errs15 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate333.errors = [{instancePath:instancePath+"/split",schemaPath:"#/properties/split/type",keyword:"type",params:{type: schema92.properties.split.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.step !== undefined){
let data8 = data.step;
const _errs17 = errors;
if((!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))) && (data8 !== null)){
validate333.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/type",keyword:"type",params:{type: schema92.properties.step.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs17){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 9007199254740991 || isNaN(data8)){
validate333.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data8 < 0 || isNaN(data8)){
validate333.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data9 = data.metadata;
const _errs19 = errors;
const _errs20 = errors;
let valid1 = false;
const _errs21 = errors;
if(!(validate53(data9, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs21 === errors;
valid1 = valid1 || _valid0;
const _errs22 = errors;
if(data9 !== null){
const err0 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs22 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate333.errors = vErrors;
return false;
}
else {
errors = _errs20;
if(vErrors !== null){
if(_errs20){
vErrors.length = _errs20;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.task_spec !== undefined){
let data10 = data.task_spec;
const _errs24 = errors;
const _errs25 = errors;
let valid2 = false;
const _errs26 = errors;
if(!(validate53(data10, {instancePath:instancePath+"/task_spec",parentData:data,parentDataProperty:"task_spec",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid1 = _errs26 === errors;
valid2 = valid2 || _valid1;
const _errs27 = errors;
if(data10 !== null){
const err2 = {instancePath:instancePath+"/task_spec",schemaPath:"#/properties/task_spec/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs27 === errors;
valid2 = valid2 || _valid1;
if(!valid2){
const err3 = {instancePath:instancePath+"/task_spec",schemaPath:"#/properties/task_spec/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate333.errors = vErrors;
return false;
}
else {
errors = _errs25;
if(vErrors !== null){
if(_errs25){
vErrors.length = _errs25;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.run_info !== undefined){
let data11 = data.run_info;
const _errs29 = errors;
const _errs30 = errors;
let valid3 = false;
const _errs31 = errors;
if(!(validate53(data11, {instancePath:instancePath+"/run_info",parentData:data,parentDataProperty:"run_info",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid2 = _errs31 === errors;
valid3 = valid3 || _valid2;
const _errs32 = errors;
if(data11 !== null){
const err4 = {instancePath:instancePath+"/run_info",schemaPath:"#/properties/run_info/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid2 = _errs32 === errors;
valid3 = valid3 || _valid2;
if(!valid3){
const err5 = {instancePath:instancePath+"/run_info",schemaPath:"#/properties/run_info/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
validate333.errors = vErrors;
return false;
}
else {
errors = _errs30;
if(vErrors !== null){
if(_errs30){
vErrors.length = _errs30;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate333.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate333.errors = vErrors;
return errors === 0;
}
validate333.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition74 = validate337;
const schema93 = {"title":"RolloutMessage","description":"A message of a rollout; its place is index.","type":"object","required":["eventType","eventId","rolloutEventId","index","type"],"properties":{"eventType":{"const":"message"},"eventId":{"type":"string","minLength":1,"maxLength":48,"pattern":"^[0-9A-Za-z_-]+$"},"rolloutEventId":{"type":"string","minLength":1,"maxLength":48,"pattern":"^[0-9A-Za-z_-]+$"},"timestamp":{"type":"number"},"index":{"type":"integer","minimum":0,"maximum":9007199254740991},"type":{"enum":["system_message","user_message","assistant_message","reasoning","tool_call","tool_result"]},"content":{"type":["string","null"]},"summary":{"type":["string","null"]},"contentReference":{"type":["string","null"]},"name":{"type":["string","null"]},"callId":{"type":["string","null"]},"reward":{"type":["number","null"]},"isFinished":{"type":["boolean","null"]},"metadata":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]}},"additionalProperties":true};

function validate337(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate337.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.eventType === undefined) && (missing0 = "eventType")) || ((data.eventId === undefined) && (missing0 = "eventId"))) || ((data.rolloutEventId === undefined) && (missing0 = "rolloutEventId"))) || ((data.index === undefined) && (missing0 = "index"))) || ((data.type === undefined) && (missing0 = "type"))){
validate337.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.eventType !== undefined){
const _errs2 = errors;
if("message" !== data.eventType){
validate337.errors = [{instancePath:instancePath+"/eventType",schemaPath:"#/properties/eventType/const",keyword:"const",params:{allowedValue: "message"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventId !== undefined){
let data1 = data.eventId;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(func1(data1) > 48){
validate337.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/maxLength",keyword:"maxLength",params:{limit: 48},message:"must NOT have more than 48 characters"}];
return false;
}
else {
if(func1(data1) < 1){
validate337.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern10.test(data1)){
validate337.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z_-]+$"},message:"must match pattern \""+"^[0-9A-Za-z_-]+$"+"\""}];
return false;
}
}
}
}
else {
validate337.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rolloutEventId !== undefined){
let data2 = data.rolloutEventId;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(func1(data2) > 48){
validate337.errors = [{instancePath:instancePath+"/rolloutEventId",schemaPath:"#/properties/rolloutEventId/maxLength",keyword:"maxLength",params:{limit: 48},message:"must NOT have more than 48 characters"}];
return false;
}
else {
if(func1(data2) < 1){
validate337.errors = [{instancePath:instancePath+"/rolloutEventId",schemaPath:"#/properties/rolloutEventId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern10.test(data2)){
validate337.errors = [{instancePath:instancePath+"/rolloutEventId",schemaPath:"#/properties/rolloutEventId/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z_-]+$"},message:"must match pattern \""+"^[0-9A-Za-z_-]+$"+"\""}];
return false;
}
}
}
}
else {
validate337.errors = [{instancePath:instancePath+"/rolloutEventId",schemaPath:"#/properties/rolloutEventId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.timestamp !== undefined){
let data3 = data.timestamp;
const _errs7 = errors;
if(!((typeof data3 == "number") && (isFinite(data3)))){
validate337.errors = [{instancePath:instancePath+"/timestamp",schemaPath:"#/properties/timestamp/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.index !== undefined){
let data4 = data.index;
const _errs9 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate337.errors = [{instancePath:instancePath+"/index",schemaPath:"#/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs9){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 9007199254740991 || isNaN(data4)){
validate337.errors = [{instancePath:instancePath+"/index",schemaPath:"#/properties/index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data4 < 0 || isNaN(data4)){
validate337.errors = [{instancePath:instancePath+"/index",schemaPath:"#/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data5 = data.type;
const _errs11 = errors;
if(!((((((data5 === "system_message") || (data5 === "user_message")) || (data5 === "assistant_message")) || (data5 === "reasoning")) || (data5 === "tool_call")) || (data5 === "tool_result"))){
validate337.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema93.properties.type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.content !== undefined){
let data6 = data.content;
const _errs12 = errors;
if((typeof data6 !== "string") && (data6 !== null)){
validate337.errors = [{instancePath:instancePath+"/content",schemaPath:"#/properties/content/type",keyword:"type",params:{type: schema93.properties.content.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.summary !== undefined){
let data7 = data.summary;
const _errs14 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate337.errors = [{instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/type",keyword:"type",params:{type: schema93.properties.summary.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.contentReference !== undefined){
let data8 = data.contentReference;
const _errs16 = errors;
if((typeof data8 !== "string") && (data8 !== null)){
validate337.errors = [{instancePath:instancePath+"/contentReference",schemaPath:"#/properties/contentReference/type",keyword:"type",params:{type: schema93.properties.contentReference.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data9 = data.name;
const _errs18 = errors;
if((typeof data9 !== "string") && (data9 !== null)){
validate337.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema93.properties.name.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.callId !== undefined){
let data10 = data.callId;
const _errs20 = errors;
if((typeof data10 !== "string") && (data10 !== null)){
validate337.errors = [{instancePath:instancePath+"/callId",schemaPath:"#/properties/callId/type",keyword:"type",params:{type: schema93.properties.callId.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.reward !== undefined){
let data11 = data.reward;
const _errs22 = errors;
if((!((typeof data11 == "number") && (isFinite(data11)))) && (data11 !== null)){
validate337.errors = [{instancePath:instancePath+"/reward",schemaPath:"#/properties/reward/type",keyword:"type",params:{type: schema93.properties.reward.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isFinished !== undefined){
let data12 = data.isFinished;
const _errs24 = errors;
if((typeof data12 !== "boolean") && (data12 !== null)){
validate337.errors = [{instancePath:instancePath+"/isFinished",schemaPath:"#/properties/isFinished/type",keyword:"type",params:{type: schema93.properties.isFinished.type},message:"must be boolean,null"}];
return false;
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data13 = data.metadata;
const _errs26 = errors;
const _errs27 = errors;
let valid1 = false;
const _errs28 = errors;
if(!(validate53(data13, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs28 === errors;
valid1 = valid1 || _valid0;
const _errs29 = errors;
if(data13 !== null){
const err0 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs29 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate337.errors = vErrors;
return false;
}
else {
errors = _errs27;
if(vErrors !== null){
if(_errs27){
vErrors.length = _errs27;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate337.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate337.errors = vErrors;
return errors === 0;
}
validate337.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition75 = validate339;
const schema94 = {"title":"RolloutUpdate","description":"What was learned of a rollout; its eventId is the id of the rollout.","type":"object","required":["eventType","eventId"],"properties":{"eventType":{"const":"rollout_update"},"eventId":{"type":"string","minLength":1,"maxLength":48,"pattern":"^[0-9A-Za-z_-]+$"},"rollout_info":{"anyOf":[{"$ref":"#/$defs/JSONObject"},{"type":"null"}]}},"additionalProperties":true};

function validate339(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate339.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.eventType === undefined) && (missing0 = "eventType")) || ((data.eventId === undefined) && (missing0 = "eventId"))){
validate339.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.eventType !== undefined){
const _errs2 = errors;
if("rollout_update" !== data.eventType){
validate339.errors = [{instancePath:instancePath+"/eventType",schemaPath:"#/properties/eventType/const",keyword:"const",params:{allowedValue: "rollout_update"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.eventId !== undefined){
let data1 = data.eventId;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(func1(data1) > 48){
validate339.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/maxLength",keyword:"maxLength",params:{limit: 48},message:"must NOT have more than 48 characters"}];
return false;
}
else {
if(func1(data1) < 1){
validate339.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
else {
if(!pattern10.test(data1)){
validate339.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Za-z_-]+$"},message:"must match pattern \""+"^[0-9A-Za-z_-]+$"+"\""}];
return false;
}
}
}
}
else {
validate339.errors = [{instancePath:instancePath+"/eventId",schemaPath:"#/properties/eventId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rollout_info !== undefined){
let data2 = data.rollout_info;
const _errs5 = errors;
const _errs6 = errors;
let valid1 = false;
const _errs7 = errors;
if(!(validate53(data2, {instancePath:instancePath+"/rollout_info",parentData:data,parentDataProperty:"rollout_info",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs7 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(data2 !== null){
const err0 = {instancePath:instancePath+"/rollout_info",schemaPath:"#/properties/rollout_info/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/rollout_info",schemaPath:"#/properties/rollout_info/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate339.errors = vErrors;
return false;
}
else {
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate339.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate339.errors = vErrors;
return errors === 0;
}
validate339.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition72 = validate341;
const schema95 = {"title":"RolloutEvent","description":"A rollout that begins, a message of it, or what was learned of it afterwards; eventType tells which.","oneOf":[{"$ref":"#/$defs/RolloutStarted"},{"$ref":"#/$defs/RolloutMessage"},{"$ref":"#/$defs/RolloutUpdate"}]};

function validate341(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate341.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate333(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate333.errors : vErrors.concat(validate333.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = true;
}
const _errs2 = errors;
if(!(validate337(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate337.errors : vErrors.concat(validate337.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = true;
}
}
const _errs3 = errors;
if(!(validate339(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate339.errors : vErrors.concat(validate339.errors);
errors = vErrors.length;
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
if(props0 !== true){
props0 = true;
}
}
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate341.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate341.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate341.evaluated = {"dynamicProps":true,"dynamicItems":false};

const definition71 = validate345;
const schema96 = {"title":"RolloutEvents","description":"A batch of events of the OpenReward client.","type":"object","required":["events"],"properties":{"events":{"type":"array","maxItems":10000,"items":{"$ref":"#/$defs/RolloutEvent"}}},"additionalProperties":true};

function validate345(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate345.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.events === undefined) && (missing0 = "events")){
validate345.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.events !== undefined){
let data0 = data.events;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 10000){
validate345.errors = [{instancePath:instancePath+"/events",schemaPath:"#/properties/events/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate341(data0[i0], {instancePath:instancePath+"/events/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate341.errors : vErrors.concat(validate341.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate345.errors = [{instancePath:instancePath+"/events",schemaPath:"#/properties/events/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
else {
validate345.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate345.errors = vErrors;
return errors === 0;
}
validate345.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition76 = validate347;
const schema97 = {"title":"RolloutReceipt","description":"Says that events are on disk.","type":"object","required":["accepted"],"properties":{"accepted":{"type":"integer","minimum":0}},"additionalProperties":false};

function validate347(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate347.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.accepted === undefined) && (missing0 = "accepted")){
validate347.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "accepted")){
validate347.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.accepted !== undefined){
let data0 = data.accepted;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate347.errors = [{instancePath:instancePath+"/accepted",schemaPath:"#/properties/accepted/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate347.errors = [{instancePath:instancePath+"/accepted",schemaPath:"#/properties/accepted/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
}
}
}
else {
validate347.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate347.errors = vErrors;
return errors === 0;
}
validate347.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition77 = validate348;
const schema98 = {"title":"RolloutRun","description":"A run in the words of OpenReward.","type":"object","required":["id","name","num_rollouts","avg_rollout_reward","avg_rollout_length","created_at","updated_at"],"properties":{"id":{"type":"string"},"name":{"type":"string"},"num_rollouts":{"type":"integer"},"avg_rollout_reward":{"type":["number","null"]},"avg_rollout_length":{"type":["number","null"]},"created_at":{"$ref":"#/$defs/Timestamp"},"updated_at":{"$ref":"#/$defs/Timestamp"}},"additionalProperties":false};

function validate348(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate348.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((data.id === undefined) && (missing0 = "id")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.num_rollouts === undefined) && (missing0 = "num_rollouts"))) || ((data.avg_rollout_reward === undefined) && (missing0 = "avg_rollout_reward"))) || ((data.avg_rollout_length === undefined) && (missing0 = "avg_rollout_length"))) || ((data.created_at === undefined) && (missing0 = "created_at"))) || ((data.updated_at === undefined) && (missing0 = "updated_at"))){
validate348.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "id") || (key0 === "name")) || (key0 === "num_rollouts")) || (key0 === "avg_rollout_reward")) || (key0 === "avg_rollout_length")) || (key0 === "created_at")) || (key0 === "updated_at"))){
validate348.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(typeof data.id !== "string"){
validate348.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
const _errs4 = errors;
if(typeof data.name !== "string"){
validate348.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.num_rollouts !== undefined){
let data2 = data.num_rollouts;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate348.errors = [{instancePath:instancePath+"/num_rollouts",schemaPath:"#/properties/num_rollouts/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.avg_rollout_reward !== undefined){
let data3 = data.avg_rollout_reward;
const _errs8 = errors;
if((!((typeof data3 == "number") && (isFinite(data3)))) && (data3 !== null)){
validate348.errors = [{instancePath:instancePath+"/avg_rollout_reward",schemaPath:"#/properties/avg_rollout_reward/type",keyword:"type",params:{type: schema98.properties.avg_rollout_reward.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.avg_rollout_length !== undefined){
let data4 = data.avg_rollout_length;
const _errs10 = errors;
if((!((typeof data4 == "number") && (isFinite(data4)))) && (data4 !== null)){
validate348.errors = [{instancePath:instancePath+"/avg_rollout_length",schemaPath:"#/properties/avg_rollout_length/type",keyword:"type",params:{type: schema98.properties.avg_rollout_length.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs12 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.updated_at !== undefined){
const _errs13 = errors;
if(!(validate62(data.updated_at, {instancePath:instancePath+"/updated_at",parentData:data,parentDataProperty:"updated_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate348.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate348.errors = vErrors;
return errors === 0;
}
validate348.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition78 = validate351;
const schema99 = {"title":"Rollout","description":"A trace in the words of OpenReward.","type":"object","required":["id","rolloutName","environment","max_reward","num_messages","created_at"],"properties":{"id":{"type":"string"},"rolloutName":{"type":["string","null"]},"environment":{"type":["string","null"]},"max_reward":{"type":["number","null"]},"num_messages":{"type":"integer"},"created_at":{"$ref":"#/$defs/Timestamp"}},"additionalProperties":false};

function validate351(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate351.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((data.id === undefined) && (missing0 = "id")) || ((data.rolloutName === undefined) && (missing0 = "rolloutName"))) || ((data.environment === undefined) && (missing0 = "environment"))) || ((data.max_reward === undefined) && (missing0 = "max_reward"))) || ((data.num_messages === undefined) && (missing0 = "num_messages"))) || ((data.created_at === undefined) && (missing0 = "created_at"))){
validate351.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "id") || (key0 === "rolloutName")) || (key0 === "environment")) || (key0 === "max_reward")) || (key0 === "num_messages")) || (key0 === "created_at"))){
validate351.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(typeof data.id !== "string"){
validate351.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rolloutName !== undefined){
let data1 = data.rolloutName;
const _errs4 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate351.errors = [{instancePath:instancePath+"/rolloutName",schemaPath:"#/properties/rolloutName/type",keyword:"type",params:{type: schema99.properties.rolloutName.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.environment !== undefined){
let data2 = data.environment;
const _errs6 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate351.errors = [{instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/type",keyword:"type",params:{type: schema99.properties.environment.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.max_reward !== undefined){
let data3 = data.max_reward;
const _errs8 = errors;
if((!((typeof data3 == "number") && (isFinite(data3)))) && (data3 !== null)){
validate351.errors = [{instancePath:instancePath+"/max_reward",schemaPath:"#/properties/max_reward/type",keyword:"type",params:{type: schema99.properties.max_reward.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.num_messages !== undefined){
let data4 = data.num_messages;
const _errs10 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate351.errors = [{instancePath:instancePath+"/num_messages",schemaPath:"#/properties/num_messages/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.created_at !== undefined){
const _errs12 = errors;
if(!(validate62(data.created_at, {instancePath:instancePath+"/created_at",parentData:data,parentDataProperty:"created_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate351.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate351.errors = vErrors;
return errors === 0;
}
validate351.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition79 = validate353;
const schema100 = {"title":"TraceMessage","description":"Anything that travels between a client and a trace store. Refer to one definition at a time (#/$defs/Block), never to this document as a whole.","anyOf":[{"$ref":"#/$defs/BlockInput"},{"$ref":"#/$defs/Block"},{"$ref":"#/$defs/Trace"},{"$ref":"#/$defs/StitchedTrace"},{"$ref":"#/$defs/TraceError"},{"$ref":"#/$defs/TraceInput"},{"$ref":"#/$defs/TracePatch"},{"$ref":"#/$defs/TraceList"},{"$ref":"#/$defs/BlockWrite"},{"$ref":"#/$defs/BatchReceipt"},{"$ref":"#/$defs/DryRun"},{"$ref":"#/$defs/BlockList"},{"$ref":"#/$defs/BlockHitList"},{"$ref":"#/$defs/RunList"},{"$ref":"#/$defs/RunStats"},{"$ref":"#/$defs/GroupList"},{"$ref":"#/$defs/Access"},{"$ref":"#/$defs/BlobReceipt"},{"$ref":"#/$defs/ImportReport"},{"$ref":"#/$defs/StitchedSkeleton"},{"$ref":"#/$defs/RolloutEvents"},{"$ref":"#/$defs/RolloutReceipt"},{"$ref":"#/$defs/RolloutRun"},{"$ref":"#/$defs/Rollout"}]};

function validate353(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate353.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
const _errs1 = errors;
if(!(validate116(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate116.errors : vErrors.concat(validate116.errors);
errors = vErrors.length;
}
else {
var props0 = validate116.evaluated.props;
}
var _valid0 = _errs1 === errors;
valid0 = valid0 || _valid0;
const _errs2 = errors;
if(!(validate160(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate160.errors : vErrors.concat(validate160.errors);
errors = vErrors.length;
}
else {
var props1 = validate160.evaluated.props;
}
var _valid0 = _errs2 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true && props1 !== undefined){
if(props1 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props1);
}
}
}
const _errs3 = errors;
if(!(validate166(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate166.errors : vErrors.concat(validate166.errors);
errors = vErrors.length;
}
var _valid0 = _errs3 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs4 = errors;
if(!(validate293(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate293.errors : vErrors.concat(validate293.errors);
errors = vErrors.length;
}
var _valid0 = _errs4 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs5 = errors;
if(!(validate327(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate327.errors : vErrors.concat(validate327.errors);
errors = vErrors.length;
}
var _valid0 = _errs5 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs6 = errors;
if(!(validate176(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate176.errors : vErrors.concat(validate176.errors);
errors = vErrors.length;
}
var _valid0 = _errs6 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs7 = errors;
if(!(validate183(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate183.errors : vErrors.concat(validate183.errors);
errors = vErrors.length;
}
var _valid0 = _errs7 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs8 = errors;
if(!(validate217(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate217.errors : vErrors.concat(validate217.errors);
errors = vErrors.length;
}
var _valid0 = _errs8 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs9 = errors;
if(!(validate222(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate222.errors : vErrors.concat(validate222.errors);
errors = vErrors.length;
}
else {
var props2 = validate222.evaluated.props;
}
var _valid0 = _errs9 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true && props2 !== undefined){
if(props2 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props2);
}
}
}
const _errs10 = errors;
if(!(validate228(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate228.errors : vErrors.concat(validate228.errors);
errors = vErrors.length;
}
var _valid0 = _errs10 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs11 = errors;
if(!(validate230(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate230.errors : vErrors.concat(validate230.errors);
errors = vErrors.length;
}
var _valid0 = _errs11 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs12 = errors;
if(!(validate259(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate259.errors : vErrors.concat(validate259.errors);
errors = vErrors.length;
}
var _valid0 = _errs12 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs13 = errors;
if(!(validate266(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate266.errors : vErrors.concat(validate266.errors);
errors = vErrors.length;
}
var _valid0 = _errs13 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs14 = errors;
if(!(validate274(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate274.errors : vErrors.concat(validate274.errors);
errors = vErrors.length;
}
var _valid0 = _errs14 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs15 = errors;
if(!(validate279(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate279.errors : vErrors.concat(validate279.errors);
errors = vErrors.length;
}
var _valid0 = _errs15 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs16 = errors;
if(!(validate288(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate288.errors : vErrors.concat(validate288.errors);
errors = vErrors.length;
}
var _valid0 = _errs16 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs17 = errors;
if(!(validate291(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate291.errors : vErrors.concat(validate291.errors);
errors = vErrors.length;
}
var _valid0 = _errs17 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs18 = errors;
if(!(validate292(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate292.errors : vErrors.concat(validate292.errors);
errors = vErrors.length;
}
var _valid0 = _errs18 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs19 = errors;
if(!(validate329(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate329.errors : vErrors.concat(validate329.errors);
errors = vErrors.length;
}
var _valid0 = _errs19 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs20 = errors;
if(!(validate254(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate254.errors : vErrors.concat(validate254.errors);
errors = vErrors.length;
}
var _valid0 = _errs20 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs21 = errors;
if(!(validate345(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate345.errors : vErrors.concat(validate345.errors);
errors = vErrors.length;
}
var _valid0 = _errs21 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs22 = errors;
if(!(validate347(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate347.errors : vErrors.concat(validate347.errors);
errors = vErrors.length;
}
var _valid0 = _errs22 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs23 = errors;
if(!(validate348(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate348.errors : vErrors.concat(validate348.errors);
errors = vErrors.length;
}
var _valid0 = _errs23 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
const _errs24 = errors;
if(!(validate351(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate351.errors : vErrors.concat(validate351.errors);
errors = vErrors.length;
}
var _valid0 = _errs24 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
if(!valid0){
const err0 = {instancePath,schemaPath:"#/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
validate353.errors = vErrors;
return false;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate353.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate353.evaluated = {"dynamicProps":true,"dynamicItems":false};

/** One validator per schema. */
export const validators: {
  readonly "JSONValue": Validator<types.JSONValue>;
  readonly "JSONObject": Validator<types.JSONObject>;
  readonly "TraceId": Validator<types.TraceId>;
  readonly "BlockId": Validator<types.BlockId>;
  readonly "CallId": Validator<types.CallId>;
  readonly "Timestamp": Validator<types.Timestamp>;
  readonly "SubType": Validator<types.SubType>;
  readonly "ContentPart": Validator<types.ContentPart>;
  readonly "MessagePayload": Validator<types.MessagePayload>;
  readonly "ToolCallPayload": Validator<types.ToolCallPayload>;
  readonly "ToolCallPayloadInput": Validator<types.ToolCallPayloadInput>;
  readonly "ToolName": Validator<types.ToolName>;
  readonly "ThinkPayload": Validator<types.ThinkPayload>;
  readonly "Seq": Validator<types.Seq>;
  readonly "ToolResultOutput": Validator<types.ToolResultOutput>;
  readonly "ToolResultDelta": Validator<types.ToolResultDelta>;
  readonly "ToolResultPayload": Validator<types.ToolResultPayload>;
  readonly "MessageBlockInput": Validator<types.MessageBlockInput>;
  readonly "ToolCallBlockInput": Validator<types.ToolCallBlockInput>;
  readonly "ThinkBlockInput": Validator<types.ThinkBlockInput>;
  readonly "ToolResultBlockInput": Validator<types.ToolResultBlockInput>;
  readonly "BlockInput": Validator<types.BlockInput>;
  readonly "MessageBlock": Validator<types.MessageBlock>;
  readonly "ToolCallBlock": Validator<types.ToolCallBlock>;
  readonly "ThinkBlock": Validator<types.ThinkBlock>;
  readonly "ToolResultBlock": Validator<types.ToolResultBlock>;
  readonly "Block": Validator<types.Block>;
  readonly "TraceStatus": Validator<types.TraceStatus>;
  readonly "Trace": Validator<types.Trace>;
  readonly "TraceInput": Validator<types.TraceInput>;
  readonly "TracePatch": Validator<types.TracePatch>;
  readonly "AssembledResult": Validator<types.AssembledResult>;
  readonly "StitchedToolCall": Validator<types.StitchedToolCall>;
  readonly "StitchedMessage": Validator<types.StitchedMessage>;
  readonly "Orphans": Validator<types.Orphans>;
  readonly "Page": Validator<types.Page>;
  readonly "TraceList": Validator<types.TraceList>;
  readonly "BlockBatch": Validator<types.BlockBatch>;
  readonly "BlockWrite": Validator<types.BlockWrite>;
  readonly "BlockReceipt": Validator<types.BlockReceipt>;
  readonly "BatchReceipt": Validator<types.BatchReceipt>;
  readonly "DryRun": Validator<types.DryRun>;
  readonly "BlockSkeleton": Validator<types.BlockSkeleton>;
  readonly "SkeletonToolCall": Validator<types.SkeletonToolCall>;
  readonly "SkeletonMessage": Validator<types.SkeletonMessage>;
  readonly "SkeletonOrphans": Validator<types.SkeletonOrphans>;
  readonly "StitchedSkeleton": Validator<types.StitchedSkeleton>;
  readonly "BlockList": Validator<types.BlockList>;
  readonly "BlockHit": Validator<types.BlockHit>;
  readonly "BlockHitList": Validator<types.BlockHitList>;
  readonly "RewardSummary": Validator<types.RewardSummary>;
  readonly "Run": Validator<types.Run>;
  readonly "RunList": Validator<types.RunList>;
  readonly "StepStats": Validator<types.StepStats>;
  readonly "RunStats": Validator<types.RunStats>;
  readonly "GroupMember": Validator<types.GroupMember>;
  readonly "Group": Validator<types.Group>;
  readonly "GroupList": Validator<types.GroupList>;
  readonly "Access": Validator<types.Access>;
  readonly "BlobReceipt": Validator<types.BlobReceipt>;
  readonly "StitchedTrace": Validator<types.StitchedTrace>;
  readonly "ValidationIssue": Validator<types.ValidationIssue>;
  readonly "ValidationFailure": Validator<types.ValidationFailure>;
  readonly "PayloadTooLarge": Validator<types.PayloadTooLarge>;
  readonly "ParentSubtypeMismatch": Validator<types.ParentSubtypeMismatch>;
  readonly "DuplicateCallId": Validator<types.DuplicateCallId>;
  readonly "DuplicateResultSeq": Validator<types.DuplicateResultSeq>;
  readonly "OtherFailure": Validator<types.OtherFailure>;
  readonly "Failure": Validator<types.Failure>;
  readonly "TraceError": Validator<types.TraceError>;
  readonly "ImportReport": Validator<types.ImportReport>;
  readonly "RolloutEvents": Validator<types.RolloutEvents>;
  readonly "RolloutEvent": Validator<types.RolloutEvent>;
  readonly "RolloutStarted": Validator<types.RolloutStarted>;
  readonly "RolloutMessage": Validator<types.RolloutMessage>;
  readonly "RolloutUpdate": Validator<types.RolloutUpdate>;
  readonly "RolloutReceipt": Validator<types.RolloutReceipt>;
  readonly "RolloutRun": Validator<types.RolloutRun>;
  readonly "Rollout": Validator<types.Rollout>;
  readonly "TraceMessage": Validator<types.TraceMessage>;
} = {
  "JSONValue": definition0,
  "JSONObject": definition1,
  "TraceId": definition2,
  "BlockId": definition3,
  "CallId": definition4,
  "Timestamp": definition5,
  "SubType": definition6,
  "ContentPart": definition7,
  "MessagePayload": definition8,
  "ToolCallPayload": definition9,
  "ToolCallPayloadInput": definition10,
  "ToolName": definition11,
  "ThinkPayload": definition12,
  "Seq": definition13,
  "ToolResultOutput": definition14,
  "ToolResultDelta": definition15,
  "ToolResultPayload": definition16,
  "MessageBlockInput": definition17,
  "ToolCallBlockInput": definition18,
  "ThinkBlockInput": definition19,
  "ToolResultBlockInput": definition20,
  "BlockInput": definition21,
  "MessageBlock": definition22,
  "ToolCallBlock": definition23,
  "ThinkBlock": definition24,
  "ToolResultBlock": definition25,
  "Block": definition26,
  "TraceStatus": definition27,
  "Trace": definition28,
  "TraceInput": definition29,
  "TracePatch": definition30,
  "AssembledResult": definition31,
  "StitchedToolCall": definition32,
  "StitchedMessage": definition33,
  "Orphans": definition34,
  "Page": definition35,
  "TraceList": definition36,
  "BlockBatch": definition37,
  "BlockWrite": definition38,
  "BlockReceipt": definition39,
  "BatchReceipt": definition40,
  "DryRun": definition41,
  "BlockSkeleton": definition42,
  "SkeletonToolCall": definition43,
  "SkeletonMessage": definition44,
  "SkeletonOrphans": definition45,
  "StitchedSkeleton": definition46,
  "BlockList": definition47,
  "BlockHit": definition48,
  "BlockHitList": definition49,
  "RewardSummary": definition50,
  "Run": definition51,
  "RunList": definition52,
  "StepStats": definition53,
  "RunStats": definition54,
  "GroupMember": definition55,
  "Group": definition56,
  "GroupList": definition57,
  "Access": definition58,
  "BlobReceipt": definition59,
  "StitchedTrace": definition60,
  "ValidationIssue": definition61,
  "ValidationFailure": definition62,
  "PayloadTooLarge": definition63,
  "ParentSubtypeMismatch": definition64,
  "DuplicateCallId": definition65,
  "DuplicateResultSeq": definition66,
  "OtherFailure": definition67,
  "Failure": definition68,
  "TraceError": definition69,
  "ImportReport": definition70,
  "RolloutEvents": definition71,
  "RolloutEvent": definition72,
  "RolloutStarted": definition73,
  "RolloutMessage": definition74,
  "RolloutUpdate": definition75,
  "RolloutReceipt": definition76,
  "RolloutRun": definition77,
  "Rollout": definition78,
  "TraceMessage": definition79,
};
