/**
 * Body of a request to `/v1/traces`, compressed, in base64: an agent of openai-agents 0.24.0 for Python that calls a tool, as
 * openinference-instrumentation-openai-agents 2.6.0 and opentelemetry-exporter-otlp-proto-http 1.45.2 have sent it. These
 * packages cannot be installed beside the Python clients.
 */
export const OPENAI_AGENTS_SPANS = [
  'H4sIAMc2CGsC/+VXXWgcVRTObH66OU2adKJpLKKba1I0zU6yP02agEoaY80Y26JRH5p0udm9u5lmdmY6cydxu+yDViEVFfShFVoEaRFfRBARba',
  'jgDyiIPin6oiKCqH1VEH2o987MJrObyaaktAiSl9lzz893vnPuOTdwqhs+EwBBJyUqyRNqFiQrsyCpWMvZOEfEMDQZBTqva9ALYqWOhvNEbINW',
  '3SDa6gl0w62VaovEtBRd455iUnKfFId7ocMi5qKSJpKiWRRr/CMj7oGeZCKWyO7Hw9F0HGejSRLLRnEiORgdiZEETg4PJUbSQ9AFLWVzBwJzzJ',
  'Bq1BLfuxOSsJfjUbQsMYnmRTDtPDvHlMGQ+ClWUp5FY1wakgbFX5uh/dtdLy1/EZ14svWXMxcfONZ3lxi+W/1pYs8Pk5dQOCK8/Mff5GRPHzAz',
  'YjqeBoWRuiMXxhrPX+kaq5MOT/IPuRNAVfOSVbAoyXNkbjj5DtjB5Xk9Q9SUg7oFwNLzJOqI5Em4jZ8r2qKedrynDGwyNcrIE/uhr4jmsEVStq',
  'mi0Qiap9QYHRiIxYelQfYXG00mR5LDA4uxAVSSCWxXNMOm0iJWbSI+AdNHiyitsxJplBvPkcicqZAs6o8gU1cJl7l4Uak/UlyV2YxkruMzXSKY',
  'zhPzflSalXuhzQ2TV/IkRQsGEUVox4ahKm4GA8ctXZOj0O0mxlRTeWJZjHiLYfY+JR6N8+QikOPQU1PdAyMChMt5yHsDQ8QqQzRBA09ogwCxoA',
  'DlbOXTIWjRbbrG6V8C/ClUsKrZqsr5JFnbwqpP4JGJLUvhnU45o1jTdLcbrTVNbGcUfe1n1tbSTh+kserzR3VddUTckiFQMtw7F6RiyGfGpEWE',
  'zZzT+FwXFWdQWqGFGTQ6gw7oOQZgBpW4Ce9GrpAjNOWlzBsB8ZJy+arL0iwr+x5o96ioXfcYIM6zq7th4bdD8yoz8jgM1zZZS54JV3/w0cEayO',
  'VAfgwObMlJOUt3pLTCdh8d8jE4eH1OVyshdsDOolMINOqVgV3Z26GT+6f6AmEF122NSoap5w0qhroa5Qjsrj5Ns0OVcNdMo4lp7KocepaBNWlB',
  '0TJiI9RPTT1yMtQlPCfUCXV14qf1QaNuZLm/qeFV6bxv1PkZ4LNu58+T7qx7vCA7s243NPNUAxlDlUMoMOtrnCC3VF2+BgjF42zQtjvBM8RKm4',
  'rhUgF18vsCtDkHvvl5UYDXhSJilBrEpAqxnNvhwmEfVKHuJR3nEl/ns8WhaDlUKjk3+4StmIRft6Ou6SzXLJv6ck+xYlt+N/rccZJ2L34mo3Ck',
  'WD3ix5LFqkVKcvfGVWTTa/rw4SlfGbWgKpZrh8Kf31d/2tz/UaGvgdqms6pWXvBW1W+n3PKhjcNtg8bxh8YmD/nifdcSFPCdD79ve/PHI1dQWP',
  'rqbWvo6sdQvSE7zslu2HNLD/9XNuSXocruvByCS6EbsCT9ihULYN3e2Gysr5vF1aM+aIjzhtt8A5TYWPcD5VCQH1KqGowv13j8f/YUGAwMEK+x',
  '1Q7AUE2La1lqj8LYVnzU3Gmz8OB1+dxkpQVXIrGuEtyz3B9YicS6Srijfx/cU1Pb37k+El8TqhbJiwI8X/mKY/0cGUc3/R3HZTf2aTUAvbVNyg',
  'yzinAObuqLJHCVlfdJ0CpTlr2dcuGtqS2ssjeEoIDlMCj8+7PffE3Skyt923yvn+Vlb312fzDlvX5acyY25iWNrSd+XZuhrC/vAnD+v3Qvnu+g',
  'NtCxgxOHpn1AnwrCWUaHwq8880nk6XdLob4dYzxYZEk3F7KqvsThnqUe3H9WtkJRYElqxDs7dcKNd5VevpZ4VZn+C9Nc5uSGEAAA',
].join('');
