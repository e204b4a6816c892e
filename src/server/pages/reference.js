/* global SwaggerUIBundle */
SwaggerUIBundle({ url: '../openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });
