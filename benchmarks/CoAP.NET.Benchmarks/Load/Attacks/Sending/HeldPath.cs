namespace CoAP.Benchmarks.Load;

/// <summary>A verified address that uploads a body slowly to a path on which changes take turns.</summary>
internal static class HeldPath
{
    private const double Rate = 50, SlowRate = 1;

    public static Sent Upload(Target target, TimeSpan time) => Run(target, time, deletes: false);

    /// <summary>With each block, a forged request to delete the resource.</summary>
    public static Sent UploadAndDelete(Target target, TimeSpan time) => Run(target, time, deletes: true);

    private static Sent Run(Target target, TimeSpan time, bool deletes)
    {
        using var source = new VerifiedSource(target.PortOf("udp"), 0);
        using var forged = new ForgedSource(target.PortOf("udp"));
        source.Prepare(AttackRequests.Large);
        var deletion = AttackRequests.Deletion.ToDatagram();
        var count = Attack.AtRate(target.RateOf(Rate, SlowRate), time, number =>
        {
            var block = AttackRequests.SmallBlock(number).ToDatagram();
            Numberings.Tokens(block, number);
            source.Send(block);
            if (deletes) { forged.Send(deletion, number, (uint)number); }
        });
        return new(deletes ? 2 * count : count);
    }
}
