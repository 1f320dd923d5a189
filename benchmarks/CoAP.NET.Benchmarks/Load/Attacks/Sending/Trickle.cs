namespace CoAP.Benchmarks.Load;

/// <summary>Connections of one address that are opened one after another, and then send a few bytes in turn. The slow form of attacks by connections.</summary>
internal static class Trickle
{
    /// <param name="target">The server.</param>
    /// <param name="transport">The transport of the connections.</param>
    /// <param name="count">The number of connections.</param>
    /// <param name="time">The time that the attack takes.</param>
    /// <param name="piece">The number of bytes that a connection sends in a turn.</param>
    /// <param name="bytes">What the connections send, again and again. They take these in turn.</param>
    public static Sent Run(Target target, string transport, int count, TimeSpan time, int piece, params byte[][] bytes)
    {
        var connections = new List<Connection>();
        var sent = 0L;
        Attack.AtRate(Target.SlowRate, time, number =>
        {
            if (connections.Count < count) { connections.Add(new Connection(target.PortOf(transport), bytes[number % bytes.Length])); }
            sent += connections[number % connections.Count].Turn(repeats: true, piece);
        });
        foreach (var connection in connections) { connection.Dispose(); }
        return new(sent / piece);
    }
}
