using CoAP.Blockwise;
using static CoAP.Tests.Blockwise.Transfers;

namespace CoAP.Tests.Blockwise;

/// <summary>Blocks in any order, repeated and left out, of several transfers at a time: the right body or a clear code, and nothing is left.</summary>
public sealed class RequestBodiesModelTests
{
    private const int Runs = 500;

    [Fact, Trait("RFC", "7959 2.5")]
    public void Any_order_of_blocks_gives_the_right_body_or_a_clear_code_and_leaves_nothing()
    {
        for (var seed = 0; seed < Runs; seed++) { Run(seed); }
    }

    private static void Run(int seed)
    {
        var random = new Random(seed);
        var budget = Budget();
        var cut = new RequestBodies(Limits, budget);
        var models = Enumerable.Range(0, 3).Select(i => new Model(Key(tag: $"0{i}"), Body(random.Next(1, 1200)), 16 << random.Next(0, 5))).ToArray();
        for (var step = 0; step < 200; step++)
        {
            var now = step * TimeSpan.TicksPerSecond;
            cut.Expire(now);
            models[random.Next(models.Length)].Step(cut, random, now, seed);
        }
        cut.Expire(long.MaxValue - 1);
        (cut.Count, budget.Bytes, budget.Peers).Should().Be((0, 0L, 0), $"seed {seed}");
    }

    /// <summary>A client that mostly sends the next block, and now and then another one. Knows by counting what has to come of it.</summary>
    private sealed class Model(BodyKey key, byte[] body, int size)
    {
        private int _next;

        public void Step(RequestBodies cut, Random random, long now, int seed)
        {
            var last = (body.Length - 1) / size;
            var number = random.Next(10) switch { 0 => random.Next(last + 1), 1 => Math.Max(0, _next - 1), _ => Math.Min(_next, last) };
            var hasMore = number < last;
            var payload = body.AsMemory(number * size, Math.Min(size, body.Length - (number * size)));

            var outcome = cut.Receive(key, Block(number, hasMore, size), payload, null, false, now);

            switch (outcome)
            {
                case ReceiveOutcome.Complete whole:
                    whole.Body.ToArray().Should().Equal(body, $"seed {seed}");
                    number.Should().Be(_next == 0 ? 0 : last, $"seed {seed}");
                    _next = 0;
                    break;
                case ReceiveOutcome.Continue:
                    (number == 0 || number == _next || number == _next - 1).Should().BeTrue($"seed {seed}: block {number} after {_next}");
                    _next = number + 1;
                    break;
                case ReceiveOutcome.Rejected rejected:
                    rejected.Code.Value.Should().BeOneOf([0x88, 0x8D, 0xA3], $"seed {seed}");
                    var isInPlace = number == 0 || number == _next || (number == _next - 1 && hasMore);
                    (rejected.Code == ResponseCode.RequestEntityIncomplete && isInPlace && _next > 0).Should().BeFalse($"seed {seed}: block {number} after {_next}");
                    _next = 0;
                    break;
            }
        }
    }
}
