/**
 * Arithmetic expressions: whole numbers, `+ - * /` and parentheses.
 *
 *     sum     = product { ('+' | '-') product }
 *     product = factor  { ('*' | '/') factor }
 *     factor  = digits | '(' sum ')'
 */
export type Expression = number | { operator: Operator; left: Expression; right: Expression };
export type Operator = '+' | '-' | '*' | '/';

/** An exact value: 7/2 is `{ top: 7, bottom: 2 }`. Always in lowest terms, `bottom` above zero. */
export type Fraction = { top: number; bottom: number };

/** Thrown for a text that is not a valid expression or has no value. The message has the position and the reason. */
export class ExpressionError extends Error {}

/** Maximum length of an expression in characters; it also limits the depth of the recursion. */
const MAX_LENGTH = 200;

const spellings: Record<string, string> = { '×': '*', '·': '*', '÷': '/', '−': '-' };

/** Parses an expression. @throws ExpressionError with the position of the first invalid character. */
export function parse(text: string): Expression {
  if (text.length > MAX_LENGTH) throw new ExpressionError(`An expression has at most ${MAX_LENGTH} characters.`);
  let position = 0;

  const peek = () => {
    while (/\s/.test(text.charAt(position))) position++;
    return spellings[text.charAt(position)] ?? text.charAt(position);
  };
  const expected = (what: string) =>
    new ExpressionError(
      `Expected ${what} at character ${position + 1}, found ${text[position] ? `'${text[position]}'` : 'the end'}.`,
    );

  const chain = (operand: () => Expression, first: Operator, second: Operator): Expression => {
    let left = operand();
    for (let operator = peek(); operator === first || operator === second; operator = peek()) {
      position++;
      left = { operator, left, right: operand() };
    }
    return left;
  };
  const sum = () => chain(product, '+', '-');
  const product = () => chain(factor, '*', '/');
  const factor = (): Expression => {
    if (peek() === '(') {
      position++;
      const inside = sum();
      if (peek() !== ')') throw expected("an operator or ')'");
      position++;
      return inside;
    }
    const digits = /^\d+/.exec(text.slice(position))?.[0];
    if (!digits) throw expected("a whole number or '('");
    position += digits.length;
    return Number(digits);
  };

  const expression = sum();
  if (peek() !== '') throw expected('an operator or the end');
  return expression;
}

/** Computes the exact value of an expression. @throws ExpressionError if it divides by zero. */
export function evaluate(expression: Expression): Fraction {
  if (typeof expression === 'number') return { top: expression, bottom: 1 };
  const { top: a, bottom: b } = evaluate(expression.left);
  const { top: c, bottom: d } = evaluate(expression.right);
  switch (expression.operator) {
    case '+':
      return reduce(a * d + c * b, b * d);
    case '-':
      return reduce(a * d - c * b, b * d);
    case '*':
      return reduce(a * c, b * d);
    case '/':
      if (c === 0) throw new ExpressionError(`'${format(expression)}' divides by zero.`);
      return reduce(a * d, b * c);
  }
}

/** Lists the numbers of an expression, from left to right. */
export function numbersIn(expression: Expression): number[] {
  if (typeof expression === 'number') return [expression];
  return [...numbersIn(expression.left), ...numbersIn(expression.right)];
}

/** Formats an expression with as few parentheses as possible. */
export function format(expression: Expression): string {
  if (typeof expression === 'number') return String(expression);
  const { operator, left, right } = expression;
  const operand = (side: Expression, minimum: number) =>
    precedence(side) < minimum ? `(${format(side)})` : format(side);
  const minimum = precedence(expression);
  const isAssociative = operator === '+' || operator === '*';
  return `${operand(left, minimum)} ${operator} ${operand(right, isAssociative ? minimum : minimum + 1)}`;
}

function precedence(expression: Expression): number {
  if (typeof expression === 'number') return 3;
  return expression.operator === '+' || expression.operator === '-' ? 1 : 2;
}

function reduce(top: number, bottom: number): Fraction {
  let [divisor, rest] = [Math.abs(top), Math.abs(bottom)];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  const scale = bottom < 0 ? -divisor : divisor;
  return { top: top / scale, bottom: bottom / scale };
}
