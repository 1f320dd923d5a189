using CoAP.Dtls;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP.Tests.Dtls.Sessions;

/// <summary>Datagrams that another lane has received wait for theirs, but not without a limit.</summary>
public sealed class StrayDatagramTests
{
    private static readonly ChannelKey Sender = new(PeerIdentity.From("sender"), default);

    [Theory, InlineData(100, StrayDatagrams.Most), InlineData(32 * 1024, 128)]
    public void Their_number_and_their_bytes_are_limited_until_the_lane_has_taken_them(int size, int most)
    {
        var (lane, opened) = (new BusyLane(), 0);
        var cut = new StrayDatagrams(lane, _ => opened++);

        foreach (var round in new[] { 1, 2 })
        {
            for (var i = 0; i < 2 * most; i++) { cut.Take(new Frame(Sender, new byte[size])); }
            opened.Should().Be((round - 1) * most);
            lane.Run();
            opened.Should().Be(round * most);
        }
    }

    [Fact]
    public void Stray_datagrams_are_copied()
    {
        var (lane, opened, buffer) = (new BusyLane(), new List<byte[]>(), new byte[] { 1, 2, 3 });
        var cut = new StrayDatagrams(lane, frame => opened.Add(frame.Bytes.ToArray()));

        cut.Take(new Frame(Sender, buffer));
        buffer[0] = 9;
        lane.Run();

        opened.Should().ContainSingle().Which.Should().Equal(1, 2, 3);
    }

    private sealed class BusyLane : ILane
    {
        private readonly Queue<Action> _posted = [];

        public TimeSpan Now => TimeSpan.Zero;

        public ILogger Logger => NullLogger.Instance;

        public void Post(Action action) => _posted.Enqueue(action);

        public LaneTimer CreateTimer(Action action) => throw new NotSupportedException();

        public void Run()
        {
            while (_posted.TryDequeue(out var action)) { action(); }
        }
    }
}
