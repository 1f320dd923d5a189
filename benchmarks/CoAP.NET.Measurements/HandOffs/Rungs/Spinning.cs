using CoAP.Measurements.HandOffs.Ends;

namespace CoAP.Measurements.HandOffs.Rungs;

/// <summary>One variable that both ends read until it changes.</summary>
internal static class Spinning
{
    public static IPair Open(Placement placement)
    {
        var flag = new Flag();
        return new ThreadPair<Turn>(new Turn(flag), () => flag.IsOver = true, () => Echo(flag), placement);
    }

    private static void Echo(Flag flag)
    {
        while (!flag.IsOver)
        {
            while (!flag.IsSet)
            {
                if (flag.IsOver) { return; }
            }
            flag.IsSet = false;
        }
    }

    private sealed class Flag
    {
        private volatile bool _isSet;
        private volatile bool _isOver;

        public bool IsSet { get => _isSet; set => _isSet = value; }

        public bool IsOver { get => _isOver; set => _isOver = value; }
    }

    private readonly struct Turn(Flag flag) : ITurn
    {
        public void ThereAndBack()
        {
            flag.IsSet = true;
            while (flag.IsSet)
            {
                // Nothing: that is what it costs.
            }
        }
    }
}
