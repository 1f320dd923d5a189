using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

/// <summary>Random operations on the table and on a dictionary that knows the rules of RFC 7252, section 4.5, but no lists.</summary>
public class DeduplicationModelTests
{
    private const long Second = TimeSpan.TicksPerSecond;

    private sealed class Model
    {
        public required byte[] Content { get; init; }

        public required long Expiry { get; init; }

        public required bool Confirmable { get; init; }

        public required Ticket Ticket { get; init; }

        public bool Acknowledged { get; set; }

        public bool Handled { get; set; }

        public byte[] Answer { get; set; } = [];

        public DuplicateCheck Expected =>
            !Confirmable ? DuplicateCheck.Ignore
            : Answer.Length > 0 ? DuplicateCheck.Answered
            : Acknowledged ? DuplicateCheck.Acknowledged
            : Handled ? DuplicateCheck.Ignore : DuplicateCheck.InProgress;
    }

    private sealed class Run(int seed, int capacity, int answerBytes)
    {
        private readonly Random _random = new(seed);
        private readonly Deduplication _cut = new(
            new() { Capacity = capacity, AnswerBufferSize = answerBytes }, TransmissionParameters.Default, key: (ulong)seed);

        private readonly Dictionary<(int Peer, int Id), Model> _model = [];
        private long _now;

        public int Missing { get; private set; }

        public int Refused { get; private set; }

        public long Dropped => _cut.Dropped;

        public int Count => _cut.Count;

        public void Step(int step)
        {
            _now += _random.Next((int)Second / 20);
            var key = (Peer: _random.Next(20), Id: _random.Next(40));
            _model.TryGetValue(key, out var known);
            switch (_random.Next(8))
            {
                case 0 when known is not null:
                    _cut.MarkAcknowledged(known.Ticket);
                    known.Acknowledged |= !known.Handled;
                    break;
                case 1 or 2 when known is not null:
                    Retain(key, known);
                    break;
                case 3 when known is not null && _random.Next(10) == 0:
                    _cut.Forget(known.Ticket);
                    _model.Remove(key);
                    break;
                default:
                    Receive(key, known, () => $"seed {seed}, step {step}");
                    break;
            }
        }

        private void Retain((int Peer, int Id) key, Model known)
        {
            var answer = new byte[_random.Next(3) == 0 ? 0 : _random.Next(300)];
            _random.NextBytes(answer);
            var isKept = _cut.Retain(known.Ticket, (RetentionClass)_random.Next(1, 4), answer, _now);
            known.Handled = true;
            known.Acknowledged &= answer.Length == 0;
            known.Answer = answer;
            if (!isKept) { _model.Remove(key); }
        }

        private void Receive((int Peer, int Id) key, Model? known, Func<string> because)
        {
            var content = known is not null && _random.Next(5) > 0 ? known.Content : [(byte)_random.Next(256), (byte)_random.Next(256)];
            var confirmable = known is not null && content == known.Content ? known.Confirmable : _random.Next(3) > 0;
            var isLive = known is not null && _now < known.Expiry;
            var isSame = isLive && content.AsSpan().SequenceEqual(known!.Content);
            var expected = isSame ? known!.Expected : isLive ? DuplicateCheck.NewWithReusedId : DuplicateCheck.New;

            var actual = _cut.Check(SenderOf(key.Peer), new((ushort)key.Id), confirmable, content, _now, out var ticket);

            if (actual == DuplicateCheck.Full)
            {
                expected.Should().NotBe(DuplicateCheck.InProgress, because());
                Refused++;
                _model.Remove(key);
                return;
            }
            if (actual == DuplicateCheck.New && expected != DuplicateCheck.New && known!.Handled) { Missing++; }
            else if (actual != expected) { actual.Should().Be(expected, because()); }
            if (actual is DuplicateCheck.New or DuplicateCheck.NewWithReusedId)
            {
                var lifetime = (confirmable ? 247 : 145) * Second;
                _model[key] = new() { Content = content, Expiry = _now + lifetime, Confirmable = confirmable, Ticket = ticket };
                if (_random.Next(3) > 0) { Retain(key, _model[key]); }
            }
            if (actual != DuplicateCheck.Answered) { return; }
            var answer = new byte[_cut.AnswerLength(ticket)];
            _cut.CopyAnswer(ticket, answer);
            answer.AsSpan().SequenceEqual(known!.Answer).Should().BeTrue(because());
        }

        // Four ports of each address.
        private static SenderHash SenderOf(int peer) =>
            new((ulong)(peer + 1) * 0xD6E8_FEB8_6659_FD93, (ulong)((peer / 4) + 1) * 0xA076_1D64_78BD_642F);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [Trait("RFC", "7252 4.5")]
    public void With_room_enough_every_outcome_is_that_of_the_model(int seed)
    {
        var run = new Run(seed, capacity: 1024, answerBytes: 1 << 20);

        for (var step = 0; step < 50_000; step++) { run.Step(step); }

        run.Missing.Should().Be(0, "seed {0}", seed);
        run.Refused.Should().Be(0, "seed {0}", seed);
        run.Dropped.Should().Be(0, "seed {0}", seed);
    }

    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    [Trait("RFC", "7252 4.5")]
    public void Without_room_only_handled_messages_are_forgotten_and_no_answer_is_mixed_up(int seed)
    {
        var run = new Run(seed, capacity: 200, answerBytes: 4096);

        for (var step = 0; step < 50_000; step++) { run.Step(step); }

        run.Count.Should().BeInRange(1, 200, "seed {0}", seed);
        run.Missing.Should().BePositive("seed {0}", seed);
        run.Dropped.Should().BePositive("seed {0}", seed);
    }
}
