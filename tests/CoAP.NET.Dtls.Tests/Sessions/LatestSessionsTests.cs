using System.Collections.Concurrent;
using CoAP.Dtls;
namespace CoAP.Tests.Dtls.Sessions;

public sealed class LatestSessionsTests
{
    private static readonly PeerCredentials Device = new() { PreSharedKeyIdentity = "device-7" };

    [Fact]
    public void Sessions_that_begin_at_the_same_time_form_one_chain()
    {
        var cut = new LatestSessions();
        var formers = new ConcurrentBag<ChannelKey?>();
        ChannelKey[] sessions = [.. Enumerable.Range(1, 4000).Select(static number => Session(number))];

        Parallel.ForEach(sessions, session => formers.Add(cut.Exchange(Device, session)));

        formers.Should().OnlyHaveUniqueItems("each session is continued once").And.ContainSingle(static one => one == null);
        sessions.Cast<ChannelKey?>().Except(formers).Should().Equal(cut.Find(Device));
    }

    [Fact]
    public void The_end_of_an_earlier_session_leaves_the_latest_one()
    {
        var cut = new LatestSessions();
        cut.Exchange(Device, Session(1));
        cut.Exchange(Device, Session(2)).Should().Be(Session(1));

        cut.Remove(Device, Session(1));
        cut.Find(Device).Should().Be(Session(2));
        cut.Remove(Device, Session(2));
        cut.Find(Device).Should().BeNull();
    }

    [Fact]
    public void Credentials_without_an_identity_have_no_sessions_in_common()
    {
        var (cut, nobody) = (new LatestSessions(), new PeerCredentials { PreSharedKeyIdentity = "" });

        cut.Exchange(nobody, Session(1)).Should().BeNull();

        cut.Exchange(nobody, Session(2)).Should().BeNull();
        cut.Find(nobody).Should().BeNull();
    }

    [Fact]
    public void The_observations_of_an_identity_move_at_most_once_per_second()
    {
        var (cut, time) = (new LatestSessions(), new ManualClock());
        foreach (var number in new[] { 1, 2 }) { cut.Exchange(Device, Session(number)); }

        var waits = new List<double>();
        foreach (var _ in Enumerable.Range(0, 5))
        {
            waits.Add(Math.Round(cut.TimeToMove(Device, time).TotalSeconds, 3));
            time.Advance(TimeSpan.FromSeconds(0.4));
        }

        waits.Should().Equal([0, 0.6, 0.2, 0.8, 0.4], "the moves take place at 0, 1, 1, 2 and 2 s");
        cut.TimeToMove(new PeerCredentials { PreSharedKeyIdentity = "another" }, time).Should().Be(TimeSpan.Zero);
    }

    private static ChannelKey Session(int number) => new(PeerIdentity.From($"session {number}"), default);
}
