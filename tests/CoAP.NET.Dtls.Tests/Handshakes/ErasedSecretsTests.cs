using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>Secrets do not stay in memory longer than they are needed.</summary>
public sealed class ErasedSecretsTests
{
    [Fact]
    public void The_end_of_a_handshake_overwrites_its_keys_and_leaves_those_of_the_session()
    {
        var cut = new HandshakePair();
        cut.Run();
        var (key, keys, session) = (cut.ClientSide.PskKey!, cut.ClientSide.Keys!.Value, cut.Client.Session!);
        var before = keys.Block.ToArray();

        cut.Dispose();

        key.Should().Equal(new byte[8]);
        keys.Block.ToArray().Should().Equal(new byte[before.Length]);
        session.CopyKeys().Should().Equal(before).And.NotEqual(new byte[before.Length]);
    }

    [Fact]
    public void Another_key_overwrites_the_one_before()
    {
        using var cut = new HandshakePair();
        var first = cut.ClientSide.PskKey!;

        cut.ClientSide.PskKey = [9, 9, 9];

        first.Should().Equal(new byte[8]);
    }

    [Fact]
    public void Sessions_that_can_be_resumed_are_overwritten_when_they_are_replaced_and_at_the_end()
    {
        var (cut, server) = (new ResumableSessions(), PeerIdentity.From("server"));
        byte[][] sessions = [[1, 1], [2, 2], [3, 3]];

        cut.Add(server, null, sessions[0]);
        cut.Add(server, null, sessions[1]);
        (sessions[0][0], sessions[1][0]).Should().Be((0, 2));
        cut.Dispose();
        cut.Add(server, null, sessions[2]);     // a handshake that ends after the endpoint

        sessions.SelectMany(static one => one).Should().OnlyContain(static one => one == 0);
    }

    [Fact]
    public void The_oldest_of_too_many_sessions_that_can_be_resumed_is_overwritten()
    {
        using var cut = new ResumableSessions();
        byte[][] sessions = [.. Enumerable.Range(0, 1025).Select(static _ => new byte[] { 1 })];

        for (var server = 0; server < sessions.Length; server++) { cut.Add(PeerIdentity.From($"server-{server}"), null, sessions[server]); }

        sessions.Count(static one => one[0] == 0).Should().Be(1);
    }
}
