using System.Net;
using CoAP.TestSupport;

namespace CoAP.Testing;

/// <summary>Scripted peers on a <see cref="Wire"/>, with times in seconds and bytes as hexadecimal text.</summary>
internal static class WirePeers
{
    extension(ScriptedPeer)
    {
        /// <summary>A client of the endpoint under test.</summary>
        public static ScriptedPeer Client(Wire wire, string name = "client") => Open(wire, PeerIdentity.From(name), wire.Server);

        /// <summary>A client of the endpoint under test with an address instead of a name.</summary>
        public static ScriptedPeer Client(Wire wire, IPEndPoint address) => Open(wire, PeerIdentity.From(address), wire.Server);

        /// <summary>A server that answers whoever sent it the last message.</summary>
        public static ScriptedPeer Server(Wire wire, string? name = null) =>
            Open(wire, name is null ? wire.Server : PeerIdentity.From(name), PeerIdentity.From("client"));

        /// <summary>A client of all members of a group.</summary>
        public static ScriptedPeer ClientOf(Wire wire, string group, string name = "client") => Open(wire, PeerIdentity.From(name), PeerIdentity.From(group));

        /// <summary>A server that is a member of a group.</summary>
        public static ScriptedPeer Member(Wire wire, string name, string group) =>
            Open(wire, PeerIdentity.From(name), PeerIdentity.From("client"), PeerIdentity.From(group));
    }

    extension(ScriptedPeer peer)
    {
        /// <summary>The bytes of the message that was expected last, to be changed or kept.</summary>
        public byte[] LastBytes => peer.Last.ToArray();

        /// <summary>All datagrams that were taken instead of expected.</summary>
        public IReadOnlyList<byte[]> Received => peer.Taken;

        /// <summary>Sends what follows to somebody else.</summary>
        public void TalkTo(string name) => peer.Partner = PeerIdentity.From(name);

        /// <summary>Sends bytes, hexadecimal with remarks.</summary>
        public void SendBytes(string hex) => peer.SendBytes(Hex.Bytes(hex));

        /// <summary>Sends bytes as they are.</summary>
        public void Send(byte[] bytes) => peer.SendBytes(bytes);

        /// <summary>Expects a message at a time, in simulated seconds since the beginning.</summary>
        public void Expect(string message, double at) => peer.Expect(message, TimeSpan.FromSeconds(at));

        /// <summary>Expects bytes, hexadecimal with remarks.</summary>
        public void ExpectBytes(string hex) => peer.ExpectBytes(Hex.Bytes(hex));

        /// <summary>Runs the wire for a while, in which nothing may come.</summary>
        public void ExpectNothing(double seconds) => peer.ExpectNothing(TimeSpan.FromSeconds(seconds));

        /// <summary>Runs the wire for a while and takes whatever comes, for a look at the received datagrams.</summary>
        public void TakeAll(double seconds) => peer.TakeAll(TimeSpan.FromSeconds(seconds));
    }

    private static ScriptedPeer Open(Wire wire, PeerIdentity self, PeerIdentity partner, params PeerIdentity[] groups) =>
        new(wire.Stage, received => wire.Network.Open(self, groups, received), partner);
}
