// @ts-nocheck
// generated from trace.schema.json by ors generate; never edit

import * as helper0 from 'ajv/dist/runtime/ucs2length.js';
import type * as types from './trace.ts';

/** Reason why a value is invalid. */
export interface Invalid {
  /** JSON Pointer to the invalid part of the value. */
  instancePath: string;
  message?: string;
  keyword: string;
  params: Record<string, unknown>;
}

/** Returns whether a value is a `T`; `errors` has the reasons why the last value was not. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: null | Invalid[];
}

function helper(module) {
  return module.default?.default ?? module.default ?? module;
}

const definition0 = validate53;
const schema20 = {"title":"TraceId","description":"Id of a trace. Clients may choose it; ids that the store creates sort by time.","type":"string","pattern":"^tr_[0-9A-Za-z_-]{1,64}$"};
const pattern3 = new RegExp("^tr_[0-9A-Za-z_-]{1,64}$", "u");

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
if(typeof data === "string"){
if(!pattern3.test(data)){
validate53.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^tr_[0-9A-Za-z_-]{1,64}$"},message:"must match pattern \""+"^tr_[0-9A-Za-z_-]{1,64}$"+"\""}];
return false;
}
}
else {
validate53.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"dynamicProps":false,"dynamicItems":false};

const definition1 = validate54;
const schema21 = {"title":"BlockId","description":"Id of a block. Clients may choose it, so that a repeated write stores one block.","type":"string","pattern":"^tb_[0-9A-Za-z_-]{1,64}$"};
const pattern4 = new RegExp("^tb_[0-9A-Za-z_-]{1,64}$", "u");

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
if(errors === 0){
if(typeof data === "string"){
if(!pattern4.test(data)){
validate54.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^tb_[0-9A-Za-z_-]{1,64}$"},message:"must match pattern \""+"^tb_[0-9A-Za-z_-]{1,64}$"+"\""}];
return false;
}
}
else {
validate54.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
validate54.errors = vErrors;
return errors === 0;
}
validate54.evaluated = {"dynamicProps":false,"dynamicItems":false};


const schema22 = {"title":"JSONValue","description":"Any JSON value.","anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"},{"$ref":"#/definitions/JSONObject"},{"type":"array","items":{"$ref":"#/definitions/JSONValue"}}]};
const schema23 = {"title":"JSONObject","description":"Any JSON object.","type":"object","additionalProperties":{"$ref":"#/definitions/JSONValue"}};
const wrapper0 = {validate: validate55};

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
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
const _errs2 = errors;
if(!(wrapper0.validate(data[key0], {instancePath:instancePath+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
if(!valid0){
break;
}
}
}
else {
validate56.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate56.errors = vErrors;
return errors === 0;
}
validate56.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate55.evaluated;
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
if(!(validate56(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
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
if(!(wrapper0.validate(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
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
validate55.errors = vErrors;
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
validate55.errors = vErrors;
evaluated0.props = props0;
evaluated0.items = items1;
return errors === 0;
}
validate55.evaluated = {"dynamicProps":true,"dynamicItems":true};



function validate58(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate58.evaluated;
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
if(!(validate55(data[key0], {instancePath:instancePath+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate55.errors : vErrors.concat(validate55.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
if(!valid0){
break;
}
}
}
else {
validate58.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate58.errors = vErrors;
return errors === 0;
}
validate58.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


const schema25 = {"title":"TraceStatus","description":"State of the agent run: finished if the episode was finished, error if it failed, abandoned if it was deleted before its end.","enum":["running","finished","error","abandoned"]};

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
if(!((((data === "running") || (data === "finished")) || (data === "error")) || (data === "abandoned"))){
validate60.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema25.enum},message:"must be equal to one of the allowed values"}];
return false;
}
validate60.errors = vErrors;
return errors === 0;
}
validate60.evaluated = {"dynamicProps":false,"dynamicItems":false};

const definition2 = validate61;
const schema26 = {"title":"TraceInput","description":"A trace to create; all fields are optional. The store sets the counters, the times and task_key.","type":"object","properties":{"id":{"$ref":"#/definitions/TraceId"},"name":{"description":"Display name.","type":["string","null"],"maxLength":1024},"run":{"description":"The training or evaluation run that the trace belongs to.","type":["string","null"],"minLength":1,"maxLength":256},"environment":{"type":["string","null"],"maxLength":256},"variant":{"type":["string","null"],"maxLength":256},"split":{"type":["string","null"],"maxLength":256},"task_index":{"type":["integer","null"],"minimum":0,"maximum":9007199254740991},"task_spec":{"anyOf":[{"$ref":"#/definitions/JSONObject"},{"type":"null"}]},"group_id":{"description":"Group of rollouts of one task that are compared with each other. By default, the traces with the same run, environment, split, task_key, step, model and sampling settings form a group; the settings are the object `sampling` of rollout_info, run_info or metadata.","type":["string","null"],"minLength":1,"maxLength":256},"step":{"description":"Training step.","type":["integer","null"],"minimum":0,"maximum":9007199254740991},"rollout_index":{"description":"Position in the group.","type":["integer","null"],"minimum":0,"maximum":9007199254740991},"model":{"type":["string","null"],"maxLength":256},"tags":{"type":"array","maxItems":100,"items":{"type":"string","minLength":1,"maxLength":256}},"metadata":{"$ref":"#/definitions/JSONObject"},"run_info":{"$ref":"#/definitions/JSONObject"},"rollout_info":{"$ref":"#/definitions/JSONObject"},"parent_trace_id":{"description":"The trace whose episode this one continues from one of its states: another trace, which the store need not have. Statistics and groups leave out traces with a parent.","anyOf":[{"$ref":"#/definitions/TraceId"},{"type":"null"}]},"parent_calls":{"description":"Number of tool calls of the parent before the fork, which this trace shares. Needs parent_trace_id.","type":["integer","null"],"minimum":0,"maximum":9007199254740991},"status":{"$ref":"#/definitions/TraceStatus"}},"additionalProperties":false};
const func2 = Object.prototype.hasOwnProperty;
const func3 = helper(helper0);

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
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(func2.call(schema26.properties, key0))){
validate61.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
const _errs2 = errors;
if(!(validate53(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
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
validate61.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema26.properties.name.type},message:"must be string,null"}];
return false;
}
if(errors === _errs3){
if(typeof data1 === "string"){
if(func3(data1) > 1024){
validate61.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
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
validate61.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/type",keyword:"type",params:{type: schema26.properties.run.type},message:"must be string,null"}];
return false;
}
if(errors === _errs5){
if(typeof data2 === "string"){
if(func3(data2) > 256){
validate61.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func3(data2) < 1){
validate61.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
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
validate61.errors = [{instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/type",keyword:"type",params:{type: schema26.properties.environment.type},message:"must be string,null"}];
return false;
}
if(errors === _errs7){
if(typeof data3 === "string"){
if(func3(data3) > 256){
validate61.errors = [{instancePath:instancePath+"/environment",schemaPath:"#/properties/environment/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
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
validate61.errors = [{instancePath:instancePath+"/variant",schemaPath:"#/properties/variant/type",keyword:"type",params:{type: schema26.properties.variant.type},message:"must be string,null"}];
return false;
}
if(errors === _errs9){
if(typeof data4 === "string"){
if(func3(data4) > 256){
validate61.errors = [{instancePath:instancePath+"/variant",schemaPath:"#/properties/variant/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
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
validate61.errors = [{instancePath:instancePath+"/split",schemaPath:"#/properties/split/type",keyword:"type",params:{type: schema26.properties.split.type},message:"must be string,null"}];
return false;
}
if(errors === _errs11){
if(typeof data5 === "string"){
if(func3(data5) > 256){
validate61.errors = [{instancePath:instancePath+"/split",schemaPath:"#/properties/split/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
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
validate61.errors = [{instancePath:instancePath+"/task_index",schemaPath:"#/properties/task_index/type",keyword:"type",params:{type: schema26.properties.task_index.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs13){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
validate61.errors = [{instancePath:instancePath+"/task_index",schemaPath:"#/properties/task_index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data6 < 0 || isNaN(data6)){
validate61.errors = [{instancePath:instancePath+"/task_index",schemaPath:"#/properties/task_index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
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
if(!(validate56(data7, {instancePath:instancePath+"/task_spec",parentData:data,parentDataProperty:"task_spec",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
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
validate61.errors = vErrors;
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
validate61.errors = [{instancePath:instancePath+"/group_id",schemaPath:"#/properties/group_id/type",keyword:"type",params:{type: schema26.properties.group_id.type},message:"must be string,null"}];
return false;
}
if(errors === _errs20){
if(typeof data8 === "string"){
if(func3(data8) > 256){
validate61.errors = [{instancePath:instancePath+"/group_id",schemaPath:"#/properties/group_id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func3(data8) < 1){
validate61.errors = [{instancePath:instancePath+"/group_id",schemaPath:"#/properties/group_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
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
validate61.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/type",keyword:"type",params:{type: schema26.properties.step.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs22){
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 9007199254740991 || isNaN(data9)){
validate61.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data9 < 0 || isNaN(data9)){
validate61.errors = [{instancePath:instancePath+"/step",schemaPath:"#/properties/step/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
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
validate61.errors = [{instancePath:instancePath+"/rollout_index",schemaPath:"#/properties/rollout_index/type",keyword:"type",params:{type: schema26.properties.rollout_index.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs24){
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 9007199254740991 || isNaN(data10)){
validate61.errors = [{instancePath:instancePath+"/rollout_index",schemaPath:"#/properties/rollout_index/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data10 < 0 || isNaN(data10)){
validate61.errors = [{instancePath:instancePath+"/rollout_index",schemaPath:"#/properties/rollout_index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
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
validate61.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: schema26.properties.model.type},message:"must be string,null"}];
return false;
}
if(errors === _errs26){
if(typeof data11 === "string"){
if(func3(data11) > 256){
validate61.errors = [{instancePath:instancePath+"/model",schemaPath:"#/properties/model/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
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
validate61.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
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
if(func3(data13) > 256){
validate61.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func3(data13) < 1){
validate61.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate61.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate61.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"}];
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
if(!(validate56(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
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
if(!(validate56(data.run_info, {instancePath:instancePath+"/run_info",parentData:data,parentDataProperty:"run_info",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
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
if(!(validate56(data.rollout_info, {instancePath:instancePath+"/rollout_info",parentData:data,parentDataProperty:"rollout_info",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
var valid0 = _errs34 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_trace_id !== undefined){
let data17 = data.parent_trace_id;
const _errs35 = errors;
const _errs36 = errors;
let valid3 = false;
const _errs37 = errors;
if(!(validate53(data17, {instancePath:instancePath+"/parent_trace_id",parentData:data,parentDataProperty:"parent_trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid1 = _errs37 === errors;
valid3 = valid3 || _valid1;
const _errs38 = errors;
if(data17 !== null){
const err2 = {instancePath:instancePath+"/parent_trace_id",schemaPath:"#/properties/parent_trace_id/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs38 === errors;
valid3 = valid3 || _valid1;
if(!valid3){
const err3 = {instancePath:instancePath+"/parent_trace_id",schemaPath:"#/properties/parent_trace_id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate61.errors = vErrors;
return false;
}
else {
errors = _errs36;
if(vErrors !== null){
if(_errs36){
vErrors.length = _errs36;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs35 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parent_calls !== undefined){
let data18 = data.parent_calls;
const _errs40 = errors;
if((!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))) && (data18 !== null)){
validate61.errors = [{instancePath:instancePath+"/parent_calls",schemaPath:"#/properties/parent_calls/type",keyword:"type",params:{type: schema26.properties.parent_calls.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs40){
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 9007199254740991 || isNaN(data18)){
validate61.errors = [{instancePath:instancePath+"/parent_calls",schemaPath:"#/properties/parent_calls/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"}];
return false;
}
else {
if(data18 < 0 || isNaN(data18)){
validate61.errors = [{instancePath:instancePath+"/parent_calls",schemaPath:"#/properties/parent_calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
}
var valid0 = _errs40 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs42 = errors;
if(!(validate60(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
var valid0 = _errs42 === errors;
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
else {
validate61.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate61.errors = vErrors;
return errors === 0;
}
validate61.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition3 = validate69;
const schema27 = {"title":"TracePatch","description":"Changes to a trace; the given fields replace the previous values.","type":"object","minProperties":1,"properties":{"name":{"description":"Display name.","type":["string","null"],"maxLength":1024},"status":{"$ref":"#/definitions/TraceStatus"},"tags":{"type":"array","maxItems":100,"items":{"type":"string","minLength":1,"maxLength":256}},"metadata":{"$ref":"#/definitions/JSONObject"}},"additionalProperties":false};

function validate69(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate69.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
validate69.errors = [{instancePath,schemaPath:"#/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "name") || (key0 === "status")) || (key0 === "tags")) || (key0 === "metadata"))){
validate69.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.name !== undefined){
let data0 = data.name;
const _errs2 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate69.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: schema27.properties.name.type},message:"must be string,null"}];
return false;
}
if(errors === _errs2){
if(typeof data0 === "string"){
if(func3(data0) > 1024){
validate69.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
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
if(!(validate60(data.status, {instancePath:instancePath+"/status",parentData:data,parentDataProperty:"status",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
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
validate69.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
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
if(func3(data3) > 256){
validate69.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func3(data3) < 1){
validate69.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate69.errors = [{instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
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
validate69.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"}];
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
if(!(validate56(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
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
validate69.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate69.errors = vErrors;
return errors === 0;
}
validate69.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition4 = validate72;
const schema28 = {"title":"ScoreInput","description":"A judgement of a run, a trace or a block, with at least one of value, label and comment. It names either a trace or a run.","type":"object","required":["name"],"properties":{"id":{"description":"Id of the score. Clients may choose it, so that a repeated request stores one score.","type":"string","pattern":"^sc_[0-9A-Za-z_-]{1,64}$"},"trace_id":{"description":"Trace that is scored; null for the score of a run.","anyOf":[{"$ref":"#/definitions/TraceId"},{"type":"null"}]},"block_id":{"description":"Block of the trace that is scored; null for the whole trace.","anyOf":[{"$ref":"#/definitions/BlockId"},{"type":"null"}]},"run":{"description":"Run that is scored; null for the score of a trace.","type":["string","null"],"minLength":1,"maxLength":256},"name":{"description":"Criterion, such as correctness.","type":"string","minLength":1,"maxLength":128},"value":{"description":"Numeric score.","type":["number","null"]},"label":{"description":"Categorical score.","type":["string","null"],"minLength":1,"maxLength":1024},"comment":{"type":["string","null"],"minLength":1,"maxLength":65536},"author":{"description":"Who gave the score; the id of the API key by default.","type":["string","null"],"minLength":1,"maxLength":256},"source":{"description":"Kind of the author: a person, a model or a program.","enum":["human","model","code"]},"metadata":{"$ref":"#/definitions/JSONObject"}},"additionalProperties":false};
const pattern5 = new RegExp("^sc_[0-9A-Za-z_-]{1,64}$", "u");

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
if((data.name === undefined) && (missing0 = "name")){
validate72.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func2.call(schema28.properties, key0))){
validate72.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern5.test(data0)){
validate72.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^sc_[0-9A-Za-z_-]{1,64}$"},message:"must match pattern \""+"^sc_[0-9A-Za-z_-]{1,64}$"+"\""}];
return false;
}
}
else {
validate72.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace_id !== undefined){
let data1 = data.trace_id;
const _errs4 = errors;
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if(!(validate53(data1, {instancePath:instancePath+"/trace_id",parentData:data,parentDataProperty:"trace_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
const _errs7 = errors;
if(data1 !== null){
const err0 = {instancePath:instancePath+"/trace_id",schemaPath:"#/properties/trace_id/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs7 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/trace_id",schemaPath:"#/properties/trace_id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
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
if(valid0){
if(data.block_id !== undefined){
let data2 = data.block_id;
const _errs9 = errors;
const _errs10 = errors;
let valid2 = false;
const _errs11 = errors;
if(!(validate54(data2, {instancePath:instancePath+"/block_id",parentData:data,parentDataProperty:"block_id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var _valid1 = _errs11 === errors;
valid2 = valid2 || _valid1;
const _errs12 = errors;
if(data2 !== null){
const err2 = {instancePath:instancePath+"/block_id",schemaPath:"#/properties/block_id/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs12 === errors;
valid2 = valid2 || _valid1;
if(!valid2){
const err3 = {instancePath:instancePath+"/block_id",schemaPath:"#/properties/block_id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validate72.errors = vErrors;
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
if(valid0){
if(data.run !== undefined){
let data3 = data.run;
const _errs14 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate72.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/type",keyword:"type",params:{type: schema28.properties.run.type},message:"must be string,null"}];
return false;
}
if(errors === _errs14){
if(typeof data3 === "string"){
if(func3(data3) > 256){
validate72.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func3(data3) < 1){
validate72.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data4 = data.name;
const _errs16 = errors;
if(errors === _errs16){
if(typeof data4 === "string"){
if(func3(data4) > 128){
validate72.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"}];
return false;
}
else {
if(func3(data4) < 1){
validate72.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate72.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.value !== undefined){
let data5 = data.value;
const _errs18 = errors;
if((!((typeof data5 == "number") && (isFinite(data5)))) && (data5 !== null)){
validate72.errors = [{instancePath:instancePath+"/value",schemaPath:"#/properties/value/type",keyword:"type",params:{type: schema28.properties.value.type},message:"must be number,null"}];
return false;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.label !== undefined){
let data6 = data.label;
const _errs20 = errors;
if((typeof data6 !== "string") && (data6 !== null)){
validate72.errors = [{instancePath:instancePath+"/label",schemaPath:"#/properties/label/type",keyword:"type",params:{type: schema28.properties.label.type},message:"must be string,null"}];
return false;
}
if(errors === _errs20){
if(typeof data6 === "string"){
if(func3(data6) > 1024){
validate72.errors = [{instancePath:instancePath+"/label",schemaPath:"#/properties/label/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"}];
return false;
}
else {
if(func3(data6) < 1){
validate72.errors = [{instancePath:instancePath+"/label",schemaPath:"#/properties/label/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
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
if(data.comment !== undefined){
let data7 = data.comment;
const _errs22 = errors;
if((typeof data7 !== "string") && (data7 !== null)){
validate72.errors = [{instancePath:instancePath+"/comment",schemaPath:"#/properties/comment/type",keyword:"type",params:{type: schema28.properties.comment.type},message:"must be string,null"}];
return false;
}
if(errors === _errs22){
if(typeof data7 === "string"){
if(func3(data7) > 65536){
validate72.errors = [{instancePath:instancePath+"/comment",schemaPath:"#/properties/comment/maxLength",keyword:"maxLength",params:{limit: 65536},message:"must NOT have more than 65536 characters"}];
return false;
}
else {
if(func3(data7) < 1){
validate72.errors = [{instancePath:instancePath+"/comment",schemaPath:"#/properties/comment/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
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
if(data.author !== undefined){
let data8 = data.author;
const _errs24 = errors;
if((typeof data8 !== "string") && (data8 !== null)){
validate72.errors = [{instancePath:instancePath+"/author",schemaPath:"#/properties/author/type",keyword:"type",params:{type: schema28.properties.author.type},message:"must be string,null"}];
return false;
}
if(errors === _errs24){
if(typeof data8 === "string"){
if(func3(data8) > 256){
validate72.errors = [{instancePath:instancePath+"/author",schemaPath:"#/properties/author/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func3(data8) < 1){
validate72.errors = [{instancePath:instancePath+"/author",schemaPath:"#/properties/author/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
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
if(data.source !== undefined){
let data9 = data.source;
const _errs26 = errors;
if(!(((data9 === "human") || (data9 === "model")) || (data9 === "code"))){
validate72.errors = [{instancePath:instancePath+"/source",schemaPath:"#/properties/source/enum",keyword:"enum",params:{allowedValues: schema28.properties.source.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
const _errs27 = errors;
if(!(validate56(data.metadata, {instancePath:instancePath+"/metadata",parentData:data,parentDataProperty:"metadata",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
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
else {
validate72.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate72.errors = vErrors;
return errors === 0;
}
validate72.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const definition5 = validate76;
const schema29 = {"title":"BulkInput","description":"Change of many traces: either tags, or deletion.","type":"object","required":["trace_ids"],"properties":{"trace_ids":{"type":"array","minItems":1,"maxItems":1000,"items":{"$ref":"#/definitions/TraceId"}},"add_tags":{"type":"array","maxItems":100,"items":{"type":"string","minLength":1,"maxLength":256}},"remove_tags":{"type":"array","maxItems":100,"items":{"type":"string","minLength":1,"maxLength":256}},"delete":{"description":"Deletes the traces with their blocks and scores.","type":"boolean"}},"additionalProperties":false};

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
if((data.trace_ids === undefined) && (missing0 = "trace_ids")){
validate76.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "trace_ids") || (key0 === "add_tags")) || (key0 === "remove_tags")) || (key0 === "delete"))){
validate76.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.trace_ids !== undefined){
let data0 = data.trace_ids;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
if(data0.length > 1000){
validate76.errors = [{instancePath:instancePath+"/trace_ids",schemaPath:"#/properties/trace_ids/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"}];
return false;
}
else {
if(data0.length < 1){
validate76.errors = [{instancePath:instancePath+"/trace_ids",schemaPath:"#/properties/trace_ids/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate53(data0[i0], {instancePath:instancePath+"/trace_ids/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
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
validate76.errors = [{instancePath:instancePath+"/trace_ids",schemaPath:"#/properties/trace_ids/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.add_tags !== undefined){
let data2 = data.add_tags;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
if(data2.length > 100){
validate76.errors = [{instancePath:instancePath+"/add_tags",schemaPath:"#/properties/add_tags/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
var valid2 = true;
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
let data3 = data2[i1];
const _errs7 = errors;
if(errors === _errs7){
if(typeof data3 === "string"){
if(func3(data3) > 256){
validate76.errors = [{instancePath:instancePath+"/add_tags/" + i1,schemaPath:"#/properties/add_tags/items/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func3(data3) < 1){
validate76.errors = [{instancePath:instancePath+"/add_tags/" + i1,schemaPath:"#/properties/add_tags/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate76.errors = [{instancePath:instancePath+"/add_tags/" + i1,schemaPath:"#/properties/add_tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs7 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate76.errors = [{instancePath:instancePath+"/add_tags",schemaPath:"#/properties/add_tags/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.remove_tags !== undefined){
let data4 = data.remove_tags;
const _errs9 = errors;
if(errors === _errs9){
if(Array.isArray(data4)){
if(data4.length > 100){
validate76.errors = [{instancePath:instancePath+"/remove_tags",schemaPath:"#/properties/remove_tags/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items"}];
return false;
}
else {
var valid3 = true;
const len2 = data4.length;
for(let i2=0; i2<len2; i2++){
let data5 = data4[i2];
const _errs11 = errors;
if(errors === _errs11){
if(typeof data5 === "string"){
if(func3(data5) > 256){
validate76.errors = [{instancePath:instancePath+"/remove_tags/" + i2,schemaPath:"#/properties/remove_tags/items/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"}];
return false;
}
else {
if(func3(data5) < 1){
validate76.errors = [{instancePath:instancePath+"/remove_tags/" + i2,schemaPath:"#/properties/remove_tags/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate76.errors = [{instancePath:instancePath+"/remove_tags/" + i2,schemaPath:"#/properties/remove_tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs11 === errors;
if(!valid3){
break;
}
}
}
}
else {
validate76.errors = [{instancePath:instancePath+"/remove_tags",schemaPath:"#/properties/remove_tags/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delete !== undefined){
const _errs13 = errors;
if(typeof data.delete !== "boolean"){
validate76.errors = [{instancePath:instancePath+"/delete",schemaPath:"#/properties/delete/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
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
else {
validate76.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate76.errors = vErrors;
return errors === 0;
}
validate76.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

/** One validator per schema. */
export const validators: {
  readonly "TraceId": Validator<types.TraceId>;
  readonly "BlockId": Validator<types.BlockId>;
  readonly "TraceInput": Validator<types.TraceInput>;
  readonly "TracePatch": Validator<types.TracePatch>;
  readonly "ScoreInput": Validator<types.ScoreInput>;
  readonly "BulkInput": Validator<types.BulkInput>;
} = {
  "TraceId": definition0,
  "BlockId": definition1,
  "TraceInput": definition2,
  "TracePatch": definition3,
  "ScoreInput": definition4,
  "BulkInput": definition5,
};
