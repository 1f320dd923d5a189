namespace CoAP.Tool.Running;

/// <summary>The exit codes of all commands.</summary>
internal static class ExitCode
{
    /// <summary>The command did what it was asked for. A request got a response of class 2.</summary>
    public const int Success = 0;

    /// <summary>The server answered with an error, 4.xx or 5.xx.</summary>
    public const int ErrorAnswer = 1;

    /// <summary>No response arrived, or the arguments are wrong.</summary>
    public const int NoAnswer = 2;
}
